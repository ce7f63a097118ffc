import Expressions
import JSON

/// Compiles and evaluates in one go.
///
/// - Throws: `CompileErrors` or `EvaluationError`.
func evaluate(
    _ json: String, _ properties: JSONObject = JSONObject(), as specification: PropertySpecification = .any,
    in environment: CompileEnvironment = CompileEnvironment(), globals: EvaluationGlobals = EvaluationGlobals(),
    geometry: FeatureGeometry? = nil
) throws -> Value {
    let expression = try Expression.compile(try JSONParser().parse(json), for: specification, in: environment)
    return try expression.evaluate(JSONFeature(properties: properties, geometry: geometry), globals: globals)
}

func compile(
    _ json: String, as specification: PropertySpecification = .any,
    in environment: CompileEnvironment = CompileEnvironment()
) throws -> Expression {
    try Expression.compile(try JSONParser().parse(json), for: specification, in: environment)
}

/// The errors of an expression that must not compile: `[2][0]: message`.
func faults(
    _ json: String, as specification: PropertySpecification = .any,
    in environment: CompileEnvironment = CompileEnvironment()
) throws -> [String] {
    do {
        _ = try compile(json, as: specification, in: environment)
        return []
    } catch let errors as CompileErrors {
        return errors.errors.map { "\($0.key): \($0.message)" }
    }
}

/// The error that ends an evaluation: `[2][0]: message`; `nil` when there is a value.
func failure(
    _ json: String, _ properties: JSONObject = JSONObject(), as specification: PropertySpecification = .any
) throws -> String? {
    do {
        _ = try evaluate(json, properties, as: specification)
        return nil
    } catch let error as EvaluationError {
        return "\(error.path ?? "-"): \(error.message)"
    }
}
