internal import JSON

extension JSONObject {
    /// Properties of one location at most; more are what no rule reads.
    static let maximumProperties = 256

    /// Takes over a report's state, charging and properties; what is said to be unknown goes.
    mutating func merge(_ report: Report) {
        merge("state", report.state.map(JSONValue.string))
        merge("charging", report.charging.map(JSONValue.bool))
        for member in report.properties.members {
            merge(member.key, member.value.isNull ? .unknown : .value(member.value))
        }
    }

    private mutating func merge(_ key: String, _ reading: Reading<JSONValue>) {
        switch reading {
        case .absent: break
        case .unknown: self[key] = nil
        case .value(let value):
            // What stays is not written, so that a copy which somebody else holds need not be parted from.
            if let known = self[key] {
                if known != value { self[key] = value }
            } else if count < Self.maximumProperties {
                append(key, value)
            }
        }
    }
}
