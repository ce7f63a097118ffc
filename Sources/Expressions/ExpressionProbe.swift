public import JSON

/// Compiles and evaluates one expression as upstream's test fixtures describe it: `fleet-bridge eval`.
public enum ExpressionProbe {
    /// - Parameter fixture: `expression`, and optionally `propertySpec`, `inputs` (pairs of globals and feature) and
    ///   `globalState`.
    /// - Returns: `compiled`, and `outputs` where that is a success.
    public static func answer(to fixture: JSONValue) -> JSONValue {
        let fixture = fixture.object ?? JSONObject()
        let specification =
            fixture["propertySpec"]?.object.map { PropertySpecification(styleSpecification: $0) } ?? .any
        let environment = CompileEnvironment(
            globalState: fixture["globalState"]?.object ?? JSONObject())
        do {
            let expression = try Expression.compile(
                fixture["expression"] ?? .null, for: specification, in: environment)
            let outputs = (fixture["inputs"]?.array ?? []).map { output(of: expression, for: $0) }
            return .object(
                JSONObject([
                    (
                        "compiled",
                        .object(
                            JSONObject([
                                ("result", "success"),
                                ("isFeatureConstant", .bool(expression.isFeatureConstant)),
                                ("isZoomConstant", .bool(expression.isZoomConstant)),
                                ("type", .string(expression.type.description)),
                            ]))
                    ),
                    ("outputs", .array(outputs)),
                ]))
        } catch {
            let errors = error.errors.map { error in
                JSONValue.object(
                    JSONObject([("key", .string(error.key)), ("error", .string(error.message))]))
            }
            let compiled = JSONObject([("result", "error"), ("errors", .array(errors))])
            return .object(JSONObject([("compiled", .object(compiled))]))
        }
    }

    /// What upstream's harness calls the place of the expression.
    private static let rootKey = "layers[0].paint.some-property"

    private static func output(of expression: Expression, for input: JSONValue) -> JSONValue {
        let pair = input.array ?? []
        let globals = pair.first?.object ?? JSONObject()
        let feature = pair.dropFirst().first?.object ?? JSONObject()
        do {
            let value = try expression.evaluate(self.feature(feature), globals: self.globals(globals))
            guard expression.type == .color, case .color(let color) = value else { return value.json }
            let (red, green, blue) = color.premultiplied
            return .array([red, green, blue, color.alpha].map { Value.number($0).json })
        } catch {
            let text = error.path.map { "\(rootKey)\($0): \(error.message)" } ?? error.message
            return .object(JSONObject([("error", .string(text))]))
        }
    }

    private static func globals(_ json: JSONObject) -> EvaluationGlobals {
        func whole(_ json: JSONValue?) -> Int? { json?.number.flatMap { Int(exactly: $0) } }
        var globals = EvaluationGlobals(zoom: json["zoom"]?.number)
        globals.availableImages = ImageNames(
            (json["availableImages"]?.array ?? []).compactMap(\.string))
        if let tile = json["canonicalID"]?.object, let z = whole(tile["z"]), let x = whole(tile["x"]),
            let y = whole(tile["y"])
        {
            globals.tile = TileIdentifier(z: z, x: x, y: y)
        }
        return globals
    }

    private static func feature(_ json: JSONObject) -> JSONFeature {
        JSONFeature(
            properties: json["properties"]?.object ?? JSONObject(),
            id: json["id"].map { Value($0) } ?? .null,
            geometry: json["geometry"].flatMap(GeoJSON.geometry),
            state: json["featureState"]?.object ?? JSONObject())
    }
}
