internal import CommandLineTool
internal import JSON
internal import MQTTModel
internal import Timestamps

/// Messages that stand as one JSON object a line: `{"topic":…, "payload":…}` with `payloadText` or `payloadBase64`
/// instead, and optionally `time`, `qos`, `retain` or `retained`. What `mosquitto_sub -F '%J'` and `'%j'` print is read
/// too: the time is `tst` there, and `%j`'s payload a text.
enum MessageLines {
    struct Line {
        var time: Timestamp?
        var message: Message
    }

    /// Hands each message over. What is no message is reported like what is no JSON.
    static func read(_ path: String? = nil, _ use: (Line) throws -> Void) throws -> ExitCode {
        let parser = JSONParser()
        return try InputLines.read(path) { try use(line(parser.parse($0, largeNumbersAreText: true))) }
    }

    /// Writes a line's members up to the payload, whose spelling is the caller's.
    static func begin(_ message: Message, at time: Timestamp, _ writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("time")
        writer.string(time.iso8601)
        writer.key("topic")
        writer.string(message.topicName)
        writer.key("qos")
        writer.integer(Int(message.qos.rawValue))
        writer.key("retain")
        writer.bool(message.retain)
    }

    private static func line(_ json: JSONValue) throws(InputLines.Fault) -> Line {
        guard let object = json.object else { throw InputLines.Fault("not an object") }
        guard let topicName = object["topic"]?.string, !topicName.isEmpty else {
            throw InputLines.Fault("no \"topic\"")
        }
        let message = Message(
            topicName: topicName, payload: try payload(of: object), qos: try qos(of: object),
            retain: try retain(of: object))
        return Line(time: try time(of: object), message: message)
    }

    private static func qos(of object: JSONObject) throws(InputLines.Fault) -> QoS {
        guard let value = object["qos"] else { return .atMostOnce }
        guard let qos = value.number.flatMap({ UInt8(exactly: $0) }).flatMap(QoS.init) else {
            throw InputLines.Fault("\"qos\" is 0, 1 or 2")
        }
        return qos
    }

    private static func retain(of object: JSONObject) throws(InputLines.Fault) -> Bool {
        switch object["retain"] ?? object["retained"] {
        case nil: return false
        case .bool(let value): return value
        // As mosquitto_sub writes it.
        case .number(0): return false
        case .number(1): return true
        default: throw InputLines.Fault("\"retain\" is true or false")
        }
    }

    private static func payload(of object: JSONObject) throws(InputLines.Fault) -> [UInt8] {
        let spellings = ["payload", "payloadText", "payloadBase64"].filter { object[$0] != nil }
        guard spellings.count <= 1 else {
            throw InputLines.Fault("one payload, not \(spellings.map { "\"\($0)\"" }.joined(separator: " and "))")
        }
        if let value = object["payloadBase64"] {
            guard let bytes = value.string.flatMap(Base64.decode) else {
                throw InputLines.Fault("\"payloadBase64\" is no base64")
            }
            return bytes
        }
        if let value = object["payloadText"] {
            guard let text = value.string else { throw InputLines.Fault("\"payloadText\" is no text") }
            return Array(text.utf8)
        }
        guard let payload = object["payload"] else {
            // mosquitto_sub leaves out the payload of an empty message.
            guard object["payloadlen"]?.number == 0 else { throw InputLines.Fault("no \"payload\"") }
            return []
        }
        // '%j' prints every payload as a text, '%J' as the JSON that it is; of JSON that is a text only the length tells.
        if case .string(let text) = payload, object["tst"] != nil,
            object["payloadlen"].map({ $0.number == Double(text.utf8.count) }) ?? true
        {
            return Array(text.utf8)
        }
        return Array(payload.text.utf8)
    }

    private static func time(of object: JSONObject) throws(InputLines.Fault) -> Timestamp? {
        guard let value = object["time"] ?? object["tst"] else { return nil }
        guard let text = value.string, let time = Timestamp(iso8601: spelled(text)) else {
            throw InputLines.Fault("\(value.text) is no time such as \"2026-11-29T12:00:00.000Z\"")
        }
        return time
    }

    /// `2026-11-30T01:29:24.010510Z+0100`, as mosquitto_sub writes it, is local time with its zone; the `Z` means nothing.
    private static func spelled(_ text: String) -> String {
        guard let end = text.firstIndex(of: "Z"), let sign = text[end...].dropFirst().first, "+-".contains(sign) else {
            return text
        }
        return String(text[..<end] + text[end...].dropFirst())
    }
}
