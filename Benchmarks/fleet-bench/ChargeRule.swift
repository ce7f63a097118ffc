import Expressions
import JSON

/// The charge rule by itself, without the location and the state around it.
enum ChargeRule {
    static let json: JSONValue = ["step", ["get", "charge"], "red", 30, "yellow", 60, "green"]

    /// - Returns: Nanoseconds of one evaluation: the median of some timings.
    static func nanoseconds() throws -> Double {
        let expression = try Expression.compile(json, for: .color)
        let features = (0..<100).map { JSONFeature(properties: ["charge": .number(Double($0))]) }
        let clock = ContinuousClock()
        let timings = try (0..<21).map { _ in
            let duration = try clock.measure {
                for _ in 0..<200 {
                    for feature in features where try expression.evaluate(feature).isMissing { preconditionFailure() }
                }
            }
            return Double(duration.components.attoseconds) / 1e9 / Double(200 * features.count)
        }
        return median(timings)
    }
}
