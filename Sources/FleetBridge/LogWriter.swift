internal import CommandLineTool
internal import FleetEngine
internal import JSON
internal import Timestamps
internal import Wording

/// Prints log entries: one event, one line, whatever stands in it.
struct LogWriter {
    enum Format: String, CaseIterable { case text, json }

    let format: Format
    let level: LogEntry.Level

    /// - Returns: `nil` where the entry is below the level.
    func line(_ entry: LogEntry, at time: Timestamp) -> String? {
        guard entry.level >= level else { return nil }
        switch format {
        case .text:
            let fields = entry.fields.filter { !$0.value.isEmpty }.map { " \($0.name)=\(quoted($0.value))" }
            return "\(time.iso8601) \(entry.level.name) \(Escape.text(entry.message))\(fields.joined())\n"
        case .json:
            var writer = JSONWriter()
            writer.beginObject()
            let head = [("time", time.iso8601), ("level", entry.level.name), ("message", entry.message)]
            for (name, value) in head + entry.fields.map({ ($0.name, $0.value) }) {
                writer.key(name)
                writer.string(value)
            }
            writer.endObject()
            return Escape.json(String(decoding: writer.bytes, as: UTF8.self)) + "\n"
        }
    }

    /// A value with blanks, or with what ends a quoted one, is quoted, so that one field cannot look like two.
    private func quoted(_ value: String) -> String {
        guard value.utf8.contains(where: { #" "=\"#.utf8.contains($0) }) else { return Escape.text(value) }
        return "\"" + Escape.text(value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")) + "\""
    }
}

extension LogEntry.Level {
    init?(name: String) {
        guard let level = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = level
    }

    var name: String { "\(self)" }
}
