public import Expressions
internal import JSON

/// How a location is to be drawn: what the rules set, and nothing else.
public struct Display: Sendable {
    public private(set) var values: [(property: String, value: Value)] = []

    public init() {}

    init(capacity: Int) { values.reserveCapacity(capacity) }

    mutating func set(_ property: String, _ value: Value) { values.append((property, value)) }

    /// Writes the values as a JSON object: colours as `#rrggbb` or `#rrggbbaa`, images by name.
    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        for (property, value) in values {
            writer.key(property)
            switch value {
            case .bool(let value): writer.bool(value)
            case .number(let value): writer.number(value)
            case .string(let text): writer.string(text)
            case .color(let color): writer.string(color.hexText)
            case .image(let image): writer.string(image.name)
            default: writer.value(value.json)
            }
        }
        writer.endObject()
    }
}
