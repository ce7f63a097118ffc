public import Expressions
internal import JSON

/// How a location is to be drawn: what the rules set, and nothing else.
public struct Display: Sendable {
    public struct Item: Sendable {
        public let property: String
        public let value: Value
    }

    public private(set) var values: [Item] = []

    public init() {}

    init(capacity: Int) { values.reserveCapacity(capacity) }

    func value(of property: String) -> Value? {
        values.firstIndex { $0.property.hasSameBytes(as: property) }.map { values[$0].value }
    }

    mutating func add(_ item: Item) { values.append(item) }

    /// Writes the values as a JSON object: colours as `#rrggbb` or `#rrggbbaa`, images by name.
    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        for index in values.indices {
            writer.key(values[index].property)
            switch values[index].value {
            case .bool(let value): writer.bool(value)
            case .number(let value): writer.number(value)
            case .string(let text): writer.string(text)
            case .color(let color): writer.color(color)
            case .image(let image): writer.string(image.name)
            default: writer.value(values[index].value.json)
            }
        }
        writer.endObject()
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
