public import Locations

/// All rules, as a cascade: levels overrule each other (main < source < type < location), within a level the later rule.
public struct DisplayRuleSet: Sendable {
    /// Strongest first.
    public let rules: [DisplayRule]
    /// Whether some rule's effect depends on what was before.
    public let needsMemory: Bool

    /// - Parameter rules: In the order in which they were written.
    public init(_ rules: [DisplayRule]) {
        self.rules = rules.enumerated().sorted { a, b in
            (b.element.match.level, b.offset) < (a.element.match.level, a.offset)
        }.map(\.element)
        needsMemory = rules.contains(where: \.needsMemory)
    }

    /// Whether they make the same of every location; names and places in a file make nothing.
    public func says(theSameAs other: DisplayRuleSet) -> Bool {
        rules.map(\.content) == other.rules.map(\.content)
    }

    public static let none = DisplayRuleSet([])

    /// The rules that match a location, prepared; valid as long as its source, type, id, building and floor stay.
    public func cascade(for location: Location) -> Cascade { cascade(of: matching(location)) }

    /// The rules that match a location, by number: whoever has many locations prepares each combination once.
    public func matching(_ location: Location) -> [Int] {
        rules.indices.filter { rules[$0].match.holds(for: location) }
    }

    public func cascade(of numbers: [Int]) -> Cascade { Cascade(numbers.map { rules[$0] }) }
}
