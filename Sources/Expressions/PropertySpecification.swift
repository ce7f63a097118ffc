public import JSON

/// What a property may hold: the type that an expression for it must have, and how it is converted.
public struct PropertySpecification: Sendable {
    /// The type that is expected; `nil` for any.
    public var type: ExpressionType?
    /// Whether the outermost value is turned into text rather than asserted to be text.
    public var convertsToString = false
    /// The numbers that make sense; `nil`: all.
    public var range: ClosedRange<Double>?
    /// Whether the expression may depend on the feature.
    public var allowsFeature = true
    public var allowsZoom = true
    /// Whether `interpolate` over zoom is allowed.
    public var isInterpolated = true

    public init(type: ExpressionType?) { self.type = type }

    public static let any = PropertySpecification(type: nil)
    public static let boolean = PropertySpecification(type: .boolean)
    public static let number = PropertySpecification(type: .number)
    public static func number(in range: ClosedRange<Double>) -> PropertySpecification {
        var specification = number
        specification.range = range
        return specification
    }

    public static let color = PropertySpecification(type: .color)
    public static let image = PropertySpecification(type: .resolvedImage)
    public static let formatted = PropertySpecification(type: .formatted)
    public static let stringList = PropertySpecification(type: .array(of: .string, length: nil))

    /// Text: a value of unknown type is converted, as for string properties in upstream.
    public static let string: PropertySpecification = {
        var specification = PropertySpecification(type: .string)
        specification.convertsToString = true
        return specification
    }()
}

extension PropertySpecification {
    /// Reads a property of the style specification: `{"type": "array", "value": "number", "length": 2, …}`.
    public init(styleSpecification json: JSONObject) {
        func simpleType(_ name: String?) -> ExpressionType? {
            switch name {
            case "color": .color
            case "string", "enum": .string
            case "number": .number
            case "boolean": .boolean
            case "formatted": .formatted
            case "resolvedImage": .resolvedImage
            default: nil
            }
        }
        let name = json["type"]?.string
        if name == "array" {
            let length = json["length"]?.number.flatMap { Int(exactly: $0) }
            self.init(type: .array(of: simpleType(json["value"]?.string) ?? .value, length: length))
        } else {
            self.init(type: simpleType(name))
        }
        convertsToString = name == "string"
        if let propertyType = json["property-type"]?.string {
            allowsFeature = propertyType == "data-driven" || propertyType == "cross-faded-data-driven"
        }
        if let expression = json["expression"]?.object {
            allowsZoom = expression["parameters"]?.array?.contains(.string("zoom")) ?? false
            isInterpolated = expression["interpolated"] == .bool(true)
        }
    }
}
