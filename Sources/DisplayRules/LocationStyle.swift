public import Geometry
public import JSON
public import Locations

/// How one location is drawn, kept from one state to the next, so that only what reads something that has changed is
/// evaluated again. A class, since it is large to copy; it belongs to one thread, as the engine does.
public final class LocationStyle {
    @exclusivity(unchecked) private var cascade: Cascade
    @exclusivity(unchecked) private var inputs: LocationInputs
    @exclusivity(unchecked) private var evaluation: Evaluation
    /// What hardly ever changes of the state, as it is written.
    @exclusivity(unchecked) private var head: StyledState.Head

    /// Evaluates all rules.
    public init(
        of location: Location, by cascade: Cascade, memory: RuleMemory = RuleMemory(), errors: inout [RuleError]
    ) {
        self.cascade = cascade
        inputs = LocationInputs(location, cascade.inputTable)
        evaluation = Evaluation(of: cascade)
        head = StyledState.Head(location)
        evaluation.update(by: cascade, location, memory, changed: .all, errors: &errors)
    }

    public var display: Display { Display(cascade, evaluation) }

    /// The rules that match the location, if they are still those of the last time.
    public func cascade(for location: Location) -> Cascade? { inputs.match(location) ? cascade : nil }

    /// Takes in how the location is now. By another cascade than before all is evaluated anew.
    ///
    /// - Parameters:
    ///   - location: The same as before: of its id and source no change is noticed.
    ///   - memory: As ``Cascade/advance(_:with:at:errors:)`` left it.
    ///   - errors: Gets what failed now; what has failed before and is not evaluated again is not in it.
    /// - Returns: How many expressions were evaluated.
    @discardableResult
    public func update(
        _ location: Location, by cascade: Cascade, memory: RuleMemory = RuleMemory(), errors: inout [RuleError]
    ) -> Int {
        var changed = inputs.take(location, cascade.inputTable)
        if changed.meets(.head) { head = StyledState.Head(location) }
        if cascade !== self.cascade {
            self.cascade = cascade
            inputs = LocationInputs(location, cascade.inputTable)
            evaluation = Evaluation(of: cascade)
            changed = .all
        }
        return evaluation.update(by: cascade, location, memory, changed: changed, errors: &errors)
    }

    /// Holds what is shown of the location against the bands of before.
    ///
    /// - Returns: The changes, almost always none.
    public func follow(_ watch: inout BandWatch, of location: Location) -> [BandChange] {
        cascade.follow(&watch, evaluation, of: location)
    }

    /// Writes the styled state of the location as it was taken in last.
    ///
    /// - Parameter projected: Its position in the map's own coordinate system.
    /// - Returns: Where the value of `time` stands.
    public func write(
        _ location: Location, _ projected: ProjectedPosition?, to writer: inout JSONWriter
    ) -> Range<Int> {
        StyledState.write(location, head, display, projected, to: &writer)
    }
}

extension InputSet {
    /// What of a state's head may change.
    fileprivate static let head = InputSet([
        .field(.name), .field(.type), .field(.building), .field(.floor), .field(.room),
    ])
}
