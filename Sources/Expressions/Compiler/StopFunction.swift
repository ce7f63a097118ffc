internal import JSON

/// The way to style by data before expressions: `{"stops": [[0, "red"], …]}`. Refused, with the way out.
enum StopFunction {
    static let refusal =
        "Stop functions ({\"stops\": ...}) are not supported. Write an expression: [\"step\", ...], "
        + "[\"interpolate\", ...], [\"match\", ...] or [\"get\", ...]."

    static func isOne(_ object: JSONObject) -> Bool {
        object["stops"] != nil || object["property"] != nil || object["type"] == .string("identity")
    }
}
