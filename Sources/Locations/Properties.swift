internal import JSON

extension JSONObject {
    /// Properties of one location at most; more are what no rule reads.
    static let maximumProperties = 256

    /// Takes over a report's state, charging and properties; what is said to be unknown goes.
    mutating func merge(_ report: Report) {
        merge("state", report.state.map(JSONValue.string))
        merge("charging", report.charging.map(JSONValue.bool))
        for (key, value) in report.properties.members {
            merge(key, value.isNull ? .unknown : .value(value))
        }
    }

    private mutating func merge(_ key: String, _ reading: Reading<JSONValue>) {
        switch reading {
        case .absent: break
        case .unknown: self[key] = nil
        case .value(let value):
            if count < Self.maximumProperties || self[key] != nil { self[key] = value }
        }
    }
}
