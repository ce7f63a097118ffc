internal import JSON
internal import Timestamps

/// Keeps a rule's steps over one input from flickering: a band is left only well beyond its limits, or after a while.
public struct Hysteresis: Sendable, Hashable {
    /// The input: a number among the fields or properties.
    public var property: String
    /// How far beyond a limit the input has to be for its band to be left at once; `nil`: no distance is enough.
    public var margin: Double?
    /// How long the input has to be outside of its band for the band to be left all the same; `nil`: no time is enough.
    public var hold: Duration?

    public init(property: String, margin: Double?, hold: Duration?) {
        self.property = property
        self.margin = margin
        self.hold = hold
    }
}

extension Hysteresis {
    /// In the words of a configuration.
    var json: JSONValue {
        var object = JSONObject([("get", .string(property))])
        if let margin { object.append("margin", .number(margin)) }
        if let hold { object.append("hold", .string(hold.text)) }
        return .object(object)
    }
}

/// The input of steps as it is to be taken while a band is held. It has a name of its own, since only steps are held: a
/// label shows the real value.
enum HeldInput {
    static let name = "\u{1}held"
    static let slot = 1_000

    /// The expression with its steps over a property made steps over the held input. Every element keeps its place.
    static func rewrite(_ json: JSONValue, over property: String) -> JSONValue {
        rewrite(json, Scope(property: property))
    }

    private struct Scope {
        let property: String
        /// What the variables are bound to, rewritten, where that is the input.
        var inputs: [JSONValue: JSONValue] = [:]
    }

    private static func rewrite(_ json: JSONValue, _ scope: Scope) -> JSONValue {
        guard case .array(var elements) = json, let name = elements.first?.string else { return json }
        var scope = scope
        switch name {
        case "literal": return json
        case "let":
            let bindings = scope
            for index in stride(from: 1, to: elements.count - 1, by: 2) {
                scope.inputs[elements[index]] = input(elements[index + 1], bindings)
            }
        default: break
        }
        for index in elements.indices.dropFirst() {
            let held = name == "step" && index == 1 ? input(elements[index], scope) : nil
            elements[index] = held ?? rewrite(elements[index], scope)
        }
        return .array(elements)
    }

    /// - Returns: The held input in the place of the property, as it is or asserted or converted to a number; `nil` for
    ///   anything else.
    private static func input(_ json: JSONValue, _ scope: Scope) -> JSONValue? {
        guard let elements = json.array, elements.count == 2 else { return nil }
        switch elements[0].string {
        case "get": return elements[1] == .string(scope.property) ? [elements[0], .string(name)] : nil
        case "number", "to-number": return input(elements[1], scope).map { [elements[0], $0] }
        case "var": return scope.inputs[elements[1]]
        default: return nil
        }
    }
}
