public import Expressions
internal import JSON

/// How a location is to be drawn: what the rules set, and nothing else.
public struct Display: Sendable {
    public struct Item: Sendable {
        public let property: String
        public let value: Value
    }

    private let slots: [Cascade.Slot]
    /// Of the slots that are not constant.
    private let properties: [Evaluation.Property]

    public init() { (slots, properties) = ([], []) }

    init(_ cascade: Cascade, _ evaluation: Evaluation) { (slots, properties) = (cascade.slots, evaluation.properties) }

    private func value(of slot: Cascade.Slot) -> Value { slot.constant ?? properties[slot.index].value }

    public var values: [Item] {
        slots.compactMap { slot in
            let value = value(of: slot)
            return value.isMissing ? nil : Item(property: slot.property.name, value: value)
        }
    }

    /// Whether anything is drawn in another way, apart from one property.
    public func differs(from other: Display, besides property: String) -> Bool {
        guard slots.count == other.slots.count else { return true }
        return zip(slots, other.slots).contains { slot, before in
            guard slot !== before || slot.constant == nil else { return false }
            guard slot.property.name.hasSameBytes(as: before.property.name) else { return true }
            return !slot.property.name.hasSameBytes(as: property) && value(of: slot) != other.value(of: before)
        }
    }

    /// Writes the values as a JSON object: colours as `#rrggbb` or `#rrggbbaa`, images by name.
    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        for slot in slots {
            if !slot.writtenConstant.isEmpty {
                writer.raw(slot.writtenConstant)
            } else {
                Self.write(slot.property.name, value(of: slot), to: &writer)
            }
        }
        writer.endObject()
    }

    /// A member as it is written: its name and value without a bracket or comma.
    static func member(_ name: String, _ value: Value) -> [UInt8] {
        var writer = JSONWriter()
        write(name, value, to: &writer)
        return writer.bytes
    }

    private static func write(_ name: String, _ value: Value, to writer: inout JSONWriter) {
        if value.isMissing { return }
        writer.key(name)
        switch value {
        case .bool(let value): writer.bool(value)
        case .number(let value): writer.number(value)
        case .string(let text): writer.string(text)
        case .color(let color): writer.color(color)
        case .image(let image): writer.string(image.name)
        default: writer.value(value.json)
        }
    }
}

extension JSONWriter {
    /// `#rrggbb`, or `#rrggbbaa` where it is not opaque.
    fileprivate mutating func color(_ color: Color) {
        plainString(atMost: 9) { buffer in
            var position = 1
            func write(_ part: Double) {
                let byte = part.isNaN ? 0 : UInt8((min(max(part, 0), 1) * 255).rounded())
                buffer[position] = Self.hexadecimal(byte >> 4)
                buffer[position + 1] = Self.hexadecimal(byte & 15)
                position += 2
            }
            buffer[0] = UInt8(ascii: "#")
            write(color.red)
            write(color.green)
            write(color.blue)
            if color.alpha < 1 { write(color.alpha) }
            return position
        }
    }

    private static func hexadecimal(_ digit: UInt8) -> UInt8 {
        digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
    }
}
