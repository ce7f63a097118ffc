internal import Expressions
internal import JSON

/// What rules may read of a location, a bit each, so that asking whether any of it has changed costs one instruction.
struct InputSet: OptionSet, Sendable {
    let rawValue: UInt64

    /// A field of the location, by its number in ``LocationFeature/slots``.
    static func field(_ number: Int) -> InputSet { InputSet(rawValue: 1 << UInt64(number)) }
    static let fields = InputSet(rawValue: 1 << 16 - 1)
    static let position = InputSet([.field(.lat), .field(.lon)])
    /// All properties together.
    static let properties = InputSet(rawValue: 1 << 16)
    /// The property of that number in an ``InputTable``. Where there are too many of them several share a bit, and what
    /// reads one is evaluated again for the others, too.
    static func property(_ number: Int) -> InputSet { InputSet(rawValue: 1 << (17 + UInt64(number) % 31)) }
    /// What is remembered for a rule, by its number among those with a memory.
    static func memory(_ number: Int) -> InputSet { InputSet(rawValue: 1 << (48 + UInt64(number) % 15)) }
    /// Read by everything: that there was no evaluation before.
    static let beginning = InputSet(rawValue: 1 << 63)
    static let all = InputSet(rawValue: .max)

    static func field(_ field: LocationFeature.Field) -> InputSet { .field(field.rawValue) }

    func meets(_ other: InputSet) -> Bool { rawValue & other.rawValue != 0 }
}

/// The inputs of a cascade's expressions as bits.
struct InputTable: Sendable {
    /// The properties that are read by name, in the order of their numbers.
    private(set) var properties: [String] = []
    private(set) var readsAllProperties = false

    var readsProperties: Bool { readsAllProperties || !properties.isEmpty }

    /// - Parameter held: What stands for the held input.
    mutating func inputs(of expression: Expression, held: InputSet = []) -> InputSet {
        let read = expression.inputs
        var inputs = InputSet.beginning
        for name in read.properties {
            if name.hasSameBytes(as: HeldInput.name) {
                inputs.formUnion(held)
            } else {
                inputs.insert(input(PropertyName(name, slot: LocationFeature.slots[name])))
            }
        }
        if read.readsGeometry { inputs.formUnion(.position) }
        if read.readsAnyProperty {
            inputs.formUnion([.fields, .properties])
            readsAllProperties = true
        }
        return inputs  // the id never changes, and there is no state
    }

    mutating func input(_ name: PropertyName) -> InputSet {
        guard let slot = name.slot else { return .property(number(of: name.text)) }
        // Without a room of a venue, a device's own property of that name counts.
        return slot == LocationFeature.Field.room.rawValue
            ? [.field(slot), .property(number(of: name.text))] : .field(slot)
    }

    private mutating func number(of property: String) -> Int {
        if let known = properties.firstIndex(where: { $0.hasSameBytes(as: property) }) { return known }
        properties.append(property)
        return properties.count - 1
    }
}
