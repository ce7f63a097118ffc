internal import Wording

/// IMDF's categories of units. A file may have others, which mean nothing more than their name.
enum UnitCategory {
    private static let all = [
        "auditorium", "brick", "classroom", "column", "concrete", "conferenceroom", "drywall", "elevator", "escalator",
        "fieldofplay", "firstaid", "fitnessroom", "foodservice", "footbridge", "glass", "huddleroom", "kitchen",
        "laboratory", "library", "lobby", "lounge", "mailroom", "mothersroom", "movietheater", "movingwalkway",
        "nonpublic", "office", "opentobelow", "parking", "phoneroom", "platform", "privatelounge", "ramp", "recreation",
        "restroom", "restroom.family", "restroom.female", "restroom.female.wheelchair", "restroom.male",
        "restroom.male.wheelchair", "restroom.transgender", "restroom.transgender.wheelchair", "restroom.unisex",
        "restroom.unisex.wheelchair", "restroom.wheelchair", "road", "room", "serverroom", "shower", "smokingarea",
        "stairs", "steps", "storage", "structure", "terrace", "theater", "unenclosedarea", "unspecified", "vegetation",
        "waitingroom", "walkway", "walkway.island", "wood",
    ]

    /// The category that a name is a slip of; `nil` where it is one, or like none.
    static func meant(by name: String) -> String? {
        let lower = name.lowercased()
        if let same = all.first(where: { $0 == lower }) { return same.hasSameBytes(as: name) ? nil : same }
        return Suggestion.closest(to: lower, among: all)
    }
}
