public import Locations

extension Cascade {
    /// Whether what it yields depends on what was before.
    public var needsMemory: Bool { !remembering.isEmpty }

    /// Takes in how a location is now, also when only time has passed.
    ///
    /// - Parameters:
    ///   - now: Monotonic.
    ///   - errors: Gets what failed in conditions.
    /// - Returns: Whether the rules may yield something else than before.
    public func advance(
        _ memory: inout RuleMemory, with location: Location, at now: Duration, errors: inout [RuleError]
    ) -> Bool {
        memory.advance(location, by: remembering, at: now, errors: &errors)
    }

    /// As of a location that was not seen before.
    func freshMemory(of location: Location) -> RuleMemory {
        var memory = RuleMemory()
        guard needsMemory else { return memory }
        var errors: [RuleError] = []
        _ = advance(&memory, with: location, at: .zero, errors: &errors)
        return memory
    }
}
