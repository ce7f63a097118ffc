public import JSON

/// What an expression is evaluated on. Lookups are on the hot path: no dictionary should be built for them.
public protocol ExpressionFeature {
    /// The property of that name; `nil` where there is none, `.null` where it is there and null.
    func property(_ name: PropertyName) -> Value?
    /// All properties, for `["properties"]`.
    var properties: JSONObject { get }
    /// `.null` for none.
    var id: Value { get }
    /// For `["geometry-type"]`, `within` and `distance`; `nil` for none.
    var geometry: FeatureGeometry? { get }
    /// The value of that name in the feature's state.
    func state(_ name: String) -> Value?
}

extension ExpressionFeature {
    public var id: Value { .null }
    public var geometry: FeatureGeometry? { nil }
    public func state(_ name: String) -> Value? { nil }
}

/// A feature made of JSON objects, for tests and tools.
public struct JSONFeature: ExpressionFeature, Sendable {
    public var properties: JSONObject
    public var id: Value
    public var geometry: FeatureGeometry?
    public var state: JSONObject

    public init(
        properties: JSONObject = JSONObject(), id: Value = .null, geometry: FeatureGeometry? = nil,
        state: JSONObject = JSONObject()
    ) {
        self.properties = properties
        self.id = id
        self.geometry = geometry
        self.state = state
    }

    public func property(_ name: PropertyName) -> Value? { properties[name.text].map { Value($0) } }
    public func state(_ name: String) -> Value? { state[name].map { Value($0) } }
}
