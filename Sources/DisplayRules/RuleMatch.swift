public import Locations

/// Which locations a rule is for. A key that is `nil` lets every location through; the most specific one is the rule's level.
public struct RuleMatch: Sendable, Equatable {
    public var sources: [Identifier]?
    public var types: [Identifier]?
    public var locations: [Identifier]?
    public var buildings: [Identifier]?
    public var floors: [Int]?

    public init() {}

    /// Higher levels overrule lower ones.
    public enum Level: Int, Sendable, Comparable {
        case main, source, type, location

        public static func < (a: Level, b: Level) -> Bool { a.rawValue < b.rawValue }
    }

    public var level: Level {
        if locations != nil { return .location }
        if types != nil { return .type }
        return sources != nil ? .source : .main
    }

    func holds(for location: Location) -> Bool {
        if let sources, !sources.contains(location.source) { return false }
        if let types, !contains(types, location.type) { return false }
        if let locations, !locations.contains(location.id) { return false }
        if let buildings, !contains(buildings, location.building) { return false }
        if let floors { return location.floor.map(floors.contains) ?? false }
        return true
    }

    private func contains(_ names: [Identifier], _ name: String?) -> Bool {
        name.map { names.contains(Identifier($0)) } ?? false
    }
}
