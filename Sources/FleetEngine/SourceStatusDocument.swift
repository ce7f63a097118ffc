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
