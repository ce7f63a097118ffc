public import JSON
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
    public enum Level: Int, Sendable, Comparable, CaseIterable {
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

    /// The keys that do not let a location through, each with what it wants and what the location has.
    func mismatches(with location: Location) -> [(key: String, expected: [JSONValue], found: JSONValue)] {
        func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
        func texts(_ names: [Identifier]?) -> [JSONValue]? { names?.map { .string($0.text) } }
        let keys: [(key: String, expected: [JSONValue]?, found: JSONValue)] = [
            ("source", texts(sources), .string(location.source.text)), ("type", texts(types), text(location.type)),
            ("location", texts(locations), .string(location.id.text)),
            ("building", texts(buildings), text(location.building)),
            (
                "floor", floors?.map { .number(Double($0)) },
                location.floor.map { .number(Double($0)) } ?? .null
            ),
        ]
        return keys.compactMap { key, expected, found in
            guard let expected, !expected.contains(found) else { return nil }
            return (key, expected, found)
        }
    }

    /// In the words of a configuration.
    public var json: JSONValue {
        func texts(_ names: [Identifier]?) -> JSONValue? { names.map { .array($0.map { .string($0.text) }) } }
        let keys: [(String, JSONValue?)] = [
            ("source", texts(sources)), ("type", texts(types)), ("location", texts(locations)),
            ("building", texts(buildings)), ("floor", floors.map { .array($0.map { .number(Double($0)) }) }),
        ]
        return .object(JSONObject(keys.compactMap { key, value in value.map { (key, $0) } }))
    }

    private func contains(_ names: [Identifier], _ name: String?) -> Bool {
        name.map { names.contains(Identifier($0)) } ?? false
    }
}
