internal import JSON
internal import Locations

/// What a decoder makes of a message, in a shape that can be compared field by field.
struct Outcome: Equatable {
    /// A field of one of the message's reports.
    struct Field: Hashable {
        var report: Int
        var name: String
    }

    enum Change: Equatable {
        case none
        /// Something else than before, such as a rejection instead of a report.
        case kind
        case fields(Set<Field>)
    }

    /// `reports`, or why there are none.
    private(set) var kind: String
    private(set) var reports: [JSONObject]

    init(_ decoder: any TelemetryFormat, _ message: IncomingMessage) {
        var decoder = decoder
        do throws(Rejection) {
            switch try decoder.decode(message) {
            case .report(let report): (kind, reports) = ("reports", [Self.fields(of: report)])
            case .reports(let results): (kind, reports) = ("reports", results.map(Self.fields))
            case .ignored(let reason, _): (kind, reports) = ("ignored \(reason)", [])
            case .repeated: (kind, reports) = ("repeated", [])
            case .withdrawn: (kind, reports) = ("withdrawn", [])
            case .sourceConnection(let word): (kind, reports) = ("source \(word.rawValue)", [])
            }
        } catch {
            (kind, reports) = ("\(Self.rejected) \(error.reason.rawValue)", [])
        }
    }

    /// Those of reports that count.
    var fields: [Field] {
        reports.indices.filter { !isRejected($0) }.flatMap { index in
            reports[index].members.map { Field(report: index, name: $0.key) }
        }
    }

    subscript(field: Field) -> JSONValue? {
        field.report < reports.count ? reports[field.report][field.name] : nil
    }

    /// What of this one is different in another; fields that only the other has are none of this one's.
    func change(to other: Outcome) -> Change {
        guard kind == other.kind, reports.count == other.reports.count else {
            // What is rejected in another way is no better for it.
            return isRejected && other.isRejected ? .none : .kind
        }
        let changed = Set(fields.filter { !other.isRejected($0.report) && self[$0] != other[$0] })
        if !changed.isEmpty { return .fields(changed) }
        return reports.indices.contains { isRejected($0) != other.isRejected($0) } ? .kind : .none
    }

    var isRejected: Bool { kind.hasPrefix(Self.rejected) }

    /// One report of several can be rejected by itself.
    private func isRejected(_ report: Int) -> Bool { reports[report][Self.rejected] != nil }
    private static let rejected = "rejected"

    private static func fields(of result: Result<Report, Rejection>) -> JSONObject {
        switch result {
        case .success(let report): fields(of: report)
        case .failure(let rejection): JSONObject([(rejected, .string(rejection.reason.rawValue))])
        }
    }

    /// With times in microseconds, as the device told them, and each property a field of its own.
    private static func fields(of report: Report) -> JSONObject {
        var fields = report.fields(time: nil)
        fields["properties"] = nil
        for member in report.properties.members { fields.append("properties.\(member.key)", member.value) }
        if let time = report.time { fields.append("time", .number(Double(time.microseconds))) }
        if let time = report.fixTime { fields.append("positionTime", .number(Double(time.microseconds))) }
        if let sequence = report.sequence { fields.append("seq", .number(Double(sequence))) }
        return fields
    }
}
