internal import JSON
internal import Locations
internal import Timestamps

/// The status of a source as it is published.
enum SourceStatusDocument {
    /// - Returns: Where the time of the last message stands: another one alone is not news.
    static func write(_ source: any LocationSource, to writer: inout JSONWriter) -> Range<Int> {
        writer.beginObject()
        writer.key("status")
        writer.string(source.status.kind.rawValue)
        if !source.status.reason.isEmpty {
            writer.key("reason")
            writer.string(source.status.reason)
        }
        writer.key("since")
        writer.string(source.status.since.iso8601)
        writer.key("locations")
        writer.beginObject()
        for status in LocationStatus.allCases {
            writer.key(status.rawValue)
            writer.integer(source.counts[status])
        }
        writer.endObject()
        var time = 0..<0
        if let lastMessage = source.lastMessage {
            writer.key("lastMessage")
            let start = writer.count
            writer.string(lastMessage.iso8601)
            time = start..<writer.count
        }
        writer.endObject()
        return time
    }
}

/// A source's status as it was published.
struct PublishedSourceStatus {
    var status: SourceStatus
    var lastMessage: Timestamp?
    var locations: Int

    /// `nil` for what no bridge has published.
    init?(_ payload: [UInt8], _ parser: JSONParser) {
        guard let object = (try? parser.parse(payload))?.object,
            let kind = object["status"]?.string.flatMap(SourceStatus.Kind.init(rawValue:)),
            let since = object["since"]?.string.flatMap(Timestamp.init(iso8601:))
        else { return nil }
        status = SourceStatus(kind: kind, reason: object["reason"]?.string ?? "", since: since)
        lastMessage = object["lastMessage"]?.string.flatMap(Timestamp.init(iso8601:))
        locations =
            object["locations"]?.object?.members.reduce(0) { $0 + (Int(exactly: $1.value.number ?? 0) ?? 0) } ?? 0
    }
}
