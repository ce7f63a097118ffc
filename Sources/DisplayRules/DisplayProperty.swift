public import Expressions
internal import JSON

/// A property that rules may set: what it holds, and what it is where a rule fails.
public struct DisplayProperty: Sendable {
    public let name: String
    public let specification: PropertySpecification
    /// Published where an expression failed and nothing is inherited.
    public let defaultValue: Value

    /// The properties that clients know, in the order in which they are published.
    public static let known: [DisplayProperty] = [
        .boolean("visible", true), .image("icon", "marker"), .color("iconColor", red: 0x33, green: 0x88, blue: 0xFF),
        .number("iconOpacity", 1, in: share), .number("iconSize", 1, in: size), .number("iconRotation", 0),
        .number("iconZoomFrom", 0, in: zoom), .number("iconZoomTo", 24, in: zoom), .text("label"),
        .color("labelColor", red: 0, green: 0, blue: 0), .number("labelMaxWidth", 0, in: size),
        .number("labelZoomFrom", 0, in: zoom), .number("labelZoomTo", 24, in: zoom), .number("zoomFrom", 0, in: zoom),
        .number("zoomTo", 24, in: zoom), .boolean("accuracyVisible", false),
        .color("accuracyColor", red: 0x33, green: 0x88, blue: 0xFF),
        .number("accuracyOpacity", 0.2, in: share), .boolean("polygonVisible", true),
        .color("polygonFillColor", red: 0x33, green: 0x88, blue: 0xFF),
        .number("polygonFillOpacity", 0.2, in: share),
        .color("polygonStrokeColor", red: 0x33, green: 0x88, blue: 0xFF),
        .number("polygonStrokeWidth", 3, in: size), .number("polygonZoomFrom", 0, in: zoom),
        .number("polygonZoomTo", 24, in: zoom), .text("calloutTitle"), .text("calloutDetail"),
        .image("calloutImage", ""), .number("clusterPriority", 0),
    ]

    private static let share = 0.0...1.0
    private static let size = 0.0...Double.greatestFiniteMagnitude
    /// As maps of this style language have it.
    private static let zoom = 0.0...24.0
    /// Infinities are no JSON.
    private static let finite = -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude

    /// - Returns: `nil` for a name that nobody knows. Names that begin with `x-` are anybody's own and hold anything.
    public static func named(_ name: String) -> DisplayProperty? {
        if let known = known.first(where: { $0.name.hasSameBytes(as: name) }) { return known }
        return name.hasPrefix("x-") ? DisplayProperty(name: name, specification: .any, defaultValue: .null) : nil
    }

    private static func boolean(_ name: String, _ value: Bool) -> Self {
        Self(name: name, specification: .boolean, defaultValue: .bool(value))
    }

    private static func number(_ name: String, _ value: Double, in range: ClosedRange<Double> = finite) -> Self {
        Self(name: name, specification: .number(in: range), defaultValue: .number(value))
    }

    private static func text(_ name: String) -> Self {
        Self(name: name, specification: .string, defaultValue: .string(""))
    }

    private static func image(_ name: String, _ value: String) -> Self {
        Self(name: name, specification: .image, defaultValue: .string(value))
    }

    private static func color(_ name: String, red: Int, green: Int, blue: Int) -> Self {
        let color = Color(red: Double(red) / 255, green: Double(green) / 255, blue: Double(blue) / 255)
        return Self(name: name, specification: .color, defaultValue: .color(color))
    }
}
