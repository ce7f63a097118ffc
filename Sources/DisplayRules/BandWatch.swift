internal import Expressions
public import JSON
public import Locations

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
        var shown: Value?
        /// The last rule with bands, with its band and what it showed.
        var last: (rule: Identifier, band: Int, value: Value)?
    }

    var entries: [Entry] = []

    public init() {}
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
    /// - Parameters:
    ///   - display: As resolved.
    ///   - memory: As it was then.
    /// - Returns: The changes, almost always none.
    public func follow(
        _ watch: inout BandWatch, _ display: Display, of location: Location, memory: RuleMemory
    ) -> [BandChange] {
        var changed: [Int] = []
        for (position, index) in bandedSlots.enumerated() {
            let name = slots[index].property.name
            guard watch.entries.indices.contains(position), watch.entries[position].property.hasSameBytes(as: name),
                watch.entries[position].shown == display.value(of: name)
            else {
                changed.append(position)
                continue
            }
        }
        return changed.isEmpty ? [] : follow(&watch, changed, display, location, memory)
    }

    private func follow(
        _ watch: inout BandWatch, _ changed: [Int], _ display: Display, _ location: Location, _ memory: RuleMemory
    ) -> [BandChange] {
        align(&watch)
        var winners: [Int: Int] = [:]
        var errors: [RuleError] = []
        _ = resolve(location, memory: memory, errors: &errors) { winners[$0] = $1 }
        let feature = LocationFeature(location)
        var changes: [BandChange] = []
        for position in changed {
            let index = bandedSlots[position]
            let name = slots[index].property.name
            let shown = display.value(of: name)
            watch.entries[position].shown = shown
            guard let shown, let winner = winners[index],
                let bands = slots[index].candidates.first(where: { $0.rule == winner })?.bands,
                case .number(let value)? = feature.property(bands.input)
            else { continue }
            let held = bands.isHeld ? memoryIndex[winner].flatMap { memory.entry($0)?.band?.value } : nil
            let band = bands.boundaries.count { $0 <= held ?? value }
            let rule = rules[winner]
            if let last = watch.entries[position].last, last.rule == rule.content, last.band != band,
                last.value != shown
            {
                changes.append(
                    BandChange(
                        property: name, rule: rule.name, input: bands.input.text, value: value,
                        from: last.value.displayJSON, to: shown.displayJSON))
            }
            watch.entries[position].last = (rule.content, band, shown)
        }
        return changes
    }

    /// Makes an entry for each property with bands, and keeps those that are there.
    private func align(_ watch: inout BandWatch) {
        let names = bandedSlots.map { slots[$0].property.name }
        guard !watch.entries.map(\.property).elementsEqual(names) else { return }
        watch.entries = names.map { name in
            watch.entries.first { $0.property == name } ?? BandWatch.Entry(property: name)
        }
    }
}
