internal import JSON

extension JSONObject {
    /// Properties of one location at most, and their bytes: they are published with every state, and a state that no broker
    /// takes tells nobody that a device is gone. More are what no rule reads.
    private static let maximumProperties = 256
    private static let maximumBytes = 64 * 1024

    /// Takes over a report's state, charging and properties; what is said to be unknown goes.
    ///
    /// - Returns: Whether there was room for all of them. What has none keeps nothing of its old value.
    mutating func merge(_ report: Report) -> Bool {
        var fits = true
        fits = merge("state", report.state.map(JSONValue.string)) && fits
        fits = merge("charging", report.charging.map(JSONValue.bool)) && fits
        for member in report.properties.members {
            fits = merge(member.key, member.value.isNull ? .unknown : .value(member.value)) && fits
        }
        guard isLarge else { return fits }
        // Only now is it worth counting; the newest came last and go first.
        var bytes = members.reduce(0) { $0 + $1.key.utf8.count + $1.value.size }
        while bytes > Self.maximumBytes, let last = members.last {
            bytes -= last.key.utf8.count + last.value.size
            self[last.key] = nil
            fits = false
        }
        return fits
    }

    private mutating func merge(_ key: String, _ reading: Reading<JSONValue>) -> Bool {
        switch reading {
        case .absent: break
        case .unknown: self[key] = nil
        case .value(let value):
            // What stays is not written, so that a copy which somebody else holds need not be parted from.
            if let known = self[key] {
                if known != value { self[key] = value }
            } else if count < Self.maximumProperties {
                append(key, value)
            } else {
                return false
            }
        }
        return true
    }

    /// Whether some value might be of a size that counts: numbers and short texts, which are all that most devices have,
    /// cannot fill the room together.
    private var isLarge: Bool {
        members.contains { member in
            switch member.value {
            case .null, .bool, .number: member.key.utf8.count > 100
            case .string(let text): text.utf8.count + member.key.utf8.count > 200
            default: true
            }
        }
    }
}

extension JSONValue {
    /// About how many bytes it takes as JSON.
    fileprivate var size: Int {
        switch self {
        case .null, .bool: 5
        case .number: 20
        case .bigInteger(let digits): digits.utf8.count
        case .string(let text): text.utf8.count + 2
        case .array(let elements): elements.reduce(2) { $0 + $1.size + 1 }
        case .object(let object): object.members.reduce(2) { $0 + $1.key.utf8.count + $1.value.size + 4 }
        }
    }
}
