internal import Expressions
public import JSON
internal import Locations

/// A property's value has come into another band of the step that it is made by.
public struct BandChange: Sendable, Equatable {
    public var property: String
    public var rule: String
    /// What the step is over, and its value now.
    public var input: String
    public var value: Double
    /// What the property was in the band before, and is now, as in `display`.
    public var from, to: JSONValue
}

/// The bands in which a location's properties were shown last. The first time tells nothing, nor does another rule: only a
/// band that differs from the one that the same rule showed last.
public struct BandWatch: Sendable {
    struct Entry: Sendable {
        let property: String
        /// What was shown last, whatever rule it was by.
        var shown = Value.null
        /// The last rule with bands, with its band and what it showed.
        var last: (rule: Identifier, band: Int, value: Value)?
    }

    private(set) var entries: [Entry] = []
    /// By whose slots the entries are.
    private var cascade: Cascade?

    public init() {}

    /// Whether nothing is shown that was not shown before, as almost always.
    func hasSeen(_ cascade: Cascade, _ evaluation: Evaluation) -> Bool {
        guard cascade === self.cascade else { return cascade.bandedSlots.isEmpty }
        for position in entries.indices
        where entries[position].shown != evaluation.properties[cascade.bandedSlots[position].index].value {
            return false
        }
        return true
    }

    /// Has an entry for each property with bands, and keeps those that are there.
    mutating func align(with cascade: Cascade) {
        guard cascade !== self.cascade else { return }
        self.cascade = cascade
        let known = entries
        entries = cascade.bandedSlots.map { slot in
            known.first { $0.property.hasSameBytes(as: slot.property.name) } ?? Entry(property: slot.property.name)
        }
    }

    mutating func update<Result>(_ position: Int, _ change: (inout Entry) -> Result) -> Result {
        change(&entries[position])
    }
}

/// The steps of an expression over one input.
struct StepBands: Sendable {
    let input: PropertyName
    let boundaries: [Double]
    let isHeld: Bool

    /// `nil` for an expression without a step over a property. Of several inputs the first one counts.
    init?(_ expression: Expression, _ hysteresis: Hysteresis?) {
        for name in expression.inputs.properties {
            let boundaries = expression.stepBoundaries(over: name)
            guard !boundaries.isEmpty else { continue }
            isHeld = name == HeldInput.name
            let real = isHeld ? hysteresis?.property ?? name : name
            input = PropertyName(real, slot: LocationFeature.slots[real])
            self.boundaries = boundaries
            return
        }
        return nil
    }
}

extension Cascade {
    /// Holds what is shown of a location against the bands of before.
    ///
    /// - Returns: The changes, almost always none.
    func follow(_ watch: inout BandWatch, _ evaluation: Evaluation, of location: Location) -> [BandChange] {
        if watch.hasSeen(self, evaluation) { return [] }
        watch.align(with: self)
        return bandedSlots.indices.compactMap { position in
            let slot = bandedSlots[position]
            return watch.update(position) { change(&$0, slot, evaluation, location) }
        }
    }

    private func change(
        _ entry: inout BandWatch.Entry, _ slot: Slot, _ evaluation: Evaluation, _ location: Location
    ) -> BandChange? {
        let shown = evaluation.properties[slot.index].value
        guard shown != entry.shown else { return nil }
        entry.shown = shown
        guard let candidate = slot.candidate(Int(evaluation.properties[slot.index].winner)),
            let bands = candidate.bands,
            case .number(let value)? = LocationFeature.with(location, { $0.property(bands.input) })
        else { return nil }
        let held = bands.isHeld ? candidate.memory.flatMap { evaluation.conditions.remembered[$0].held } : nil
        let band = bands.boundaries.count { $0 <= held ?? value }
        let rule = rules[candidate.rule]
        defer { entry.last = (rule.content, band, shown) }
        guard let last = entry.last, last.rule == rule.content, last.band != band, last.value != shown else {
            return nil
        }
        return BandChange(
            property: entry.property, rule: rule.name, input: bands.input.text, value: value,
            from: last.value.displayJSON, to: shown.displayJSON)
    }
}
