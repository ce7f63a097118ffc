public import Venues

extension Room {
    /// IMDF's categories of units that one can be in, but not to stay.
    public static let otherCategories: Set<String> = [
        "elevator", "escalator", "footbridge", "movingwalkway", "ramp", "road", "stairs", "steps", "vegetation",
        "walkway", "walkway.island",
    ]

    /// The rooms of a plan.
    ///
    /// - Parameter categories: Of the units that are rooms; `nil`: all but ``otherCategories``. What nobody can be in is none.
    public static func rooms(of venue: Venue, categories: Set<String>? = nil) -> [Room] {
        venue.units.filter { unit in
            guard unit.isWalkable else { return false }
            guard let categories else { return unit.category.map { !otherCategories.contains($0) } ?? true }
            return unit.category.map { categories.contains($0) } ?? false
        }.map { Room($0, building: venue.building) }
    }
}
