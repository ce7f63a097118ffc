public import Venues

extension Room {
    /// IMDF's categories of units that are ways, or no places at all.
    public static let otherCategories: Set<String> = [
        "brick", "column", "concrete", "drywall", "elevator", "escalator", "footbridge", "glass", "movingwalkway",
        "opentobelow", "ramp", "road", "stairs", "steps", "structure", "vegetation", "walkway", "walkway.island",
        "wood",
    ]

    /// The rooms of a plan.
    ///
    /// - Parameter categories: Of the units that are rooms; `nil`: all but ``otherCategories``.
    public static func rooms(of venue: Venue, categories: Set<String>? = nil) -> [Room] {
        venue.units.filter { unit in
            guard unit.hasFloor else { return false }
            guard let categories else { return unit.category.map { !otherCategories.contains($0) } ?? true }
            return unit.category.map { categories.contains($0) } ?? false
        }.map { Room($0, building: venue.building) }
    }
}
