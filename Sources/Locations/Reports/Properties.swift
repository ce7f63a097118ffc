internal import JSON

extension JSONObject {
    /// Properties of one location at most, and their bytes: they are published with every state, and a state that no broker
    /// takes tells nobody that a device is gone. More are what no rule reads.
    private static let maximumProperties = 256
    private static let maximumBytes = 64 * 1024
    /// Levels of a property: with those around it, all that is published stays within the 32 that strict readers take.
    private static let maximumDepth = 24

    /// Why something is not there.
    private enum Misfit: String, CaseIterable {
        case tooLarge = "properties-too-large"
        case tooDeep = "properties-too-deep"
    }

    /// Takes over a report's state, charging and properties; what is said to be unknown goes, and so does what there is no room
    /// for.
    ///
    /// - Parameter fault: Gets each reason why something is not there, once.
    mutating func merge(_ report: Report, fault: (String) -> Void) {
        var misfits: Set<Misfit> = []
        merge("state", report.state.map(JSONValue.string), &misfits)
        merge("charging", report.charging.map(JSONValue.bool), &misfits)
        for member in report.properties.members {
            merge(member.key, member.value.isNull ? .unknown : .value(member.value), &misfits)
        }
        if isLarge {
            // Only now is it worth counting; the newest came last and go first.
            var bytes = members.reduce(0) { $0 + $1.key.utf8.count + $1.value.size }
            while bytes > Self.maximumBytes, let last = members.last {
                bytes -= last.key.utf8.count + last.value.size
                self[last.key] = nil
                misfits.insert(.tooLarge)
            }
        }
        guard !misfits.isEmpty else { return }
        for misfit in Misfit.allCases where misfits.contains(misfit) { fault(misfit.rawValue) }
    }

    private mutating func merge(_ key: String, _ reading: Reading<JSONValue>, _ misfits: inout Set<Misfit>) {
        switch reading {
        case .absent: break
        case .unknown: self[key] = nil
        case .value(let value):
            let known = self[key]
            // What stays is not written, so that a copy which somebody else holds need not be parted from.
            if let known, known == value { return }
            if value.isDeeper(than: Self.maximumDepth) {
                self[key] = nil
                misfits.insert(.tooDeep)
            } else if known != nil {
                self[key] = value
            } else if count < Self.maximumProperties {
                append(key, value)
            } else {
                misfits.insert(.tooLarge)
            }
        }
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
    /// Whether objects and arrays stand inside each other beyond so many levels.
    fileprivate func isDeeper(than levels: Int) -> Bool {
        switch self {
        case .null, .bool, .number, .bigInteger, .string: false
        case .array(let elements): levels == 0 || elements.contains { $0.isDeeper(than: levels - 1) }
        case .object(let object): levels == 0 || object.members.contains { $0.value.isDeeper(than: levels - 1) }
        }
    }

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
