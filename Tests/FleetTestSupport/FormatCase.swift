import Foundation
public import JSON
import Timestamps

/// A message of a telemetry format with the report that must come of it: a file of
/// `Tests/TelemetryFormatsTests/Fixtures/{format}`.
///
/// `{topic, payload|payloadText|payloadBase64, retained?, before?: [message…], expect, from, note}`; `expect` is a
/// report, a list of reports, `{"reject": why, reason?, pointer?}` or `{"ignore": why, reason?}`. Only the keys of `expect`
/// are compared.
public struct FormatCase: Sendable, CustomStringConvertible {
    public struct Message: Sendable {
        public var topicName: String
        public var payload: [UInt8]
        public var retained: Bool
    }

    public enum Expectation: Sendable {
        case reports([JSONObject])
        /// The reason and pointer are compared where the file gives them.
        case rejected(JSONObject)
        case ignored(JSONObject)
    }

    public let format: String
    public let name: String
    /// What comes first, and the message itself.
    public let messages: [Message]
    public let expectation: Expectation

    public var description: String { "\(format)/\(name)" }

    /// All cases of a format, by name.
    public static func all(_ format: String) throws -> [FormatCase] {
        let folder = fixtures + "/" + format
        guard let directory = opendir(folder) else { throw FileFailure(path: folder) }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name.hasSuffix(".json") { names.append(name) }
        }
        return try names.sorted().map { try FormatCase(format, $0) }
    }

    private static var fixtures: String {
        let folders = #filePath.split(separator: "/").dropLast(2)
        return "/" + folders.joined(separator: "/") + "/TelemetryFormatsTests/Fixtures"
    }

    private struct Unreadable: Error {
        var name: String
    }

    private init(_ format: String, _ file: String) throws {
        let bytes = read(Self.fixtures + "/" + format + "/" + file)
        guard let object = try JSONParser().parse(bytes).object, let expect = object["expect"] else {
            throw Unreadable(name: file)
        }
        self.format = format
        name = String(file.dropLast(".json".count))
        messages = try ((object["before"]?.array ?? []).compactMap(\.object) + [object]).map { message in
            guard let topicName = message["topic"]?.string else { throw Unreadable(name: file) }
            let packed = message["payloadBase64"]?.string.flatMap { Data(base64Encoded: $0) }
            let payload =
                message["payloadText"]?.string.map { Array($0.utf8) } ?? packed.map { [UInt8]($0) }
                ?? message["payload"].map(Self.bytes)
            return Message(
                topicName: topicName, payload: payload ?? [], retained: message["retained"] == .bool(true))
        }
        if let expect = expect.object, expect["reject"] != nil {
            expectation = .rejected(expect)
        } else if let expect = expect.object, expect["ignore"] != nil {
            expectation = .ignored(expect)
        } else {
            expectation = .reports((expect.array ?? [expect]).compactMap(\.object))
        }
    }

    private static func bytes(of value: JSONValue) -> [UInt8] {
        var writer = JSONWriter()
        writer.value(value)
        return writer.bytes
    }

    /// Compares a line of `fleet-bridge convert` with what is expected.
    ///
    /// - Returns: What differs; nothing where all is well.
    public func differences(from line: JSONObject) -> [String] {
        switch expectation {
        case .rejected(let expect): return Self.verdict("rejected", expect, line)
        case .ignored(let expect): return Self.verdict("ignored", expect, line)
        case .reports(let expected):
            let reports = (line["reports"]?.array ?? []).compactMap(\.object)
            guard reports.count == expected.count else { return ["expected \(expected.count) reports, got \(line)"] }
            return zip(expected, reports).flatMap { expected, report in
                expected.members.compactMap { member in
                    Self.agrees(member.key, member.value, report)
                        ? nil : "\(member.key): expected \(member.value), got \(report)"
                }
            }
        }
    }

    private static func verdict(_ key: String, _ expect: JSONObject, _ line: JSONObject) -> [String] {
        guard let verdict = line[key]?.object else { return ["expected it to be \(key), got \(line)"] }
        return ["reason", "pointer"].compactMap { name in
            guard let wanted = expect[name], verdict[name] != wanted else { return nil }
            return "\(name): expected \(wanted), got \(verdict)"
        }
    }

    /// Words for readers of the file, which no report has.
    private static let notes = ["frame", "source", "event", "room", "distance"]

    /// Whether a report, or a styled state in the shape of one, has what is expected under a key.
    public static func agrees(_ key: String, _ expected: JSONValue, _ report: JSONObject) -> Bool {
        let found = report[key]
        switch (key, expected) {
        case _ where notes.contains(key): return true
        case ("timestamp", "receive"): return report["time"] == nil
        case ("timestamp", .string(let text)):
            guard let time = report["time"]?.string.flatMap(Timestamp.init(iso8601:)),
                let wanted = Timestamp(iso8601: text)
            else { return false }
            return abs(time.duration(since: wanted).inSeconds) < 0.0015
        case ("online", .bool(let isOnline)): return report["connection"] == .string(isOnline ? "online" : "offline")
        case ("state", "offline"): return found == "offline" || report["connection"] == "offline"
        case ("floor", .string): return found == expected || report["map"] == expected
        case ("charging", _): return (found ?? report["properties"]?.object?["charging"] ?? .null) == expected
        case ("heading", .number(let heading)):
            return found?.number.map { abs(remainder($0 - heading, 360)) < 0.01 } ?? false
        case (_, .number(let number)):
            let tolerance = key == "lat" || key == "lon" ? 1e-6 : 0.01
            return found?.number.map { abs($0 - number) <= tolerance } ?? false
        default: return (found ?? .null) == expected
        }
    }
}
