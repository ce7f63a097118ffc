public import JSON
import Timestamps

/// Checks JSON against a schema, as far as the schemas of the tests go: `type`, `required`, `properties`, `items`, `enum`, `minimum`,
/// `maximum` and the format `date-time`.
public struct JSONSchema {
    private let root: JSONValue

    public init(_ root: JSONValue) { self.root = root }

    /// - Returns: What is wrong, with its place; nothing where all is well.
    public func faults(in value: JSONValue) -> [String] { Self.check(value, root.object ?? JSONObject(), "") }

    private static func check(_ value: JSONValue, _ schema: JSONObject, _ pointer: String) -> [String] {
        var faults: [String] = []
        if let type = schema["type"]?.string, !isOf(type, value) {
            faults.append("\(pointer): \(value.text) is no \(type)")
        }
        if let known = schema["enum"]?.array, !known.contains(value) {
            faults.append("\(pointer): \(value.text) is none of \(known.map(\.text))")
        }
        if let number = value.number {
            if let minimum = schema["minimum"]?.number, number < minimum {
                faults.append("\(pointer): \(number) < \(minimum)")
            }
            if let maximum = schema["maximum"]?.number, number > maximum {
                faults.append("\(pointer): \(number) > \(maximum)")
            }
        }
        if schema["format"] == "date-time", value.string.flatMap(Timestamp.init(iso8601:)) == nil {
            faults.append("\(pointer): \(value.text) is no date-time")
        }
        if let object = value.object {
            for name in schema["required"]?.array?.compactMap(\.string) ?? [] where object[name] == nil {
                faults.append("\(pointer): \(name) is missing")
            }
            for member in schema["properties"]?.object?.members ?? [] {
                guard let inner = object[member.key], let schema = member.value.object else { continue }
                faults += check(inner, schema, "\(pointer)/\(member.key)")
            }
        }
        if let items = schema["items"]?.object {
            for (index, element) in (value.array ?? []).enumerated() {
                faults += check(element, items, "\(pointer)/\(index)")
            }
        }
        return faults
    }

    private static func isOf(_ type: String, _ value: JSONValue) -> Bool {
        switch (type, value) {
        case ("object", .object), ("array", .array), ("string", .string), ("boolean", .bool), ("null", .null),
            ("number", .number), ("number", .bigInteger), ("integer", .bigInteger):
            true
        case ("integer", .number(let number)): number == number.rounded()
        default: false
        }
    }
}
