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
            return [
                "compiled": [
                    "result": "success",
                    "isFeatureConstant": .bool(expression.isFeatureConstant),
                    "isZoomConstant": .bool(expression.isZoomConstant),
                    "type": .string(expression.type.description),
                ],
                "outputs": .array(outputs),
            ]
        } catch {
            return failure(error.errors.map { ($0.key, $0.message) })
        }
    }

    /// ``answer(to:)`` for a line of text. What is no JSON does not compile.
    public static func answer(toLine line: String, parser: JSONParser) -> String {
        let fixture: JSONValue
        do throws(JSONError) {
            fixture = try parser.parse(line)
        } catch {
            return failure([("", "\(error.reason.rawValue): \(error.detail)")]).text
        }
        return answer(to: fixture).text
    }

    private static func failure(_ errors: [(key: String, message: String)]) -> JSONValue {
        let list = errors.map { JSONValue.object(["key": .string($0.key), "error": .string($0.message)]) }
        return ["compiled": ["result": "error", "errors": .array(list)]]
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
            return ["error": .string(text)]
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
