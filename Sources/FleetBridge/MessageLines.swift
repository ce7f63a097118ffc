internal import CommandLineTool
internal import JSON
internal import MQTTModel
internal import Timestamps

/// Reads messages that stand as one JSON object a line: `{"topic":…, "payload":…}` with `payloadText` or `payloadBase64`
/// instead, and optionally `time`, `qos`, `retain` or `retained`. What `mosquitto_sub -F '%J'` and `'%j'` print is read
/// too: the time is `tst` there, and `%j`'s payload a text.
enum MessageLines {
    struct Line {
        var time: Timestamp?
        var message: Message
    }

    /// Hands each message over. What is no message is reported like what is no JSON.
    static func read(_ path: String? = nil, _ use: (Line) throws -> Bool) throws -> ExitCode {
        let parser = JSONParser()
        return try InputLines.read(path) { try use(line(parser.parse($0, largeNumbersAreText: true))) }
    }

    private static func line(_ json: JSONValue) throws(InputLines.Fault) -> Line {
        guard let object = json.object else { throw InputLines.Fault("not an object") }
        guard let topicName = object["topic"]?.string, !topicName.isEmpty else {
            throw InputLines.Fault("no \"topic\"")
        }
        let retain: Bool =
            switch object["retain"] ?? object["retained"] {
            case .bool(let value): value
            case .number(let value): value != 0
            default: false
            }
        let qos = object["qos"]?.number.flatMap { UInt8(exactly: $0) }.flatMap(QoS.init) ?? .atMostOnce
        let message = Message(topicName: topicName, payload: try payload(of: object), qos: qos, retain: retain)
        return Line(time: try time(of: object), message: message)
    }

    private static func payload(of object: JSONObject) throws(InputLines.Fault) -> [UInt8] {
        if let text = object["payloadBase64"]?.string {
            guard let bytes = Base64.decode(text) else { throw InputLines.Fault("\"payloadBase64\" is no base64") }
            return bytes
        }
        if let text = object["payloadText"]?.string { return Array(text.utf8) }
        guard let payload = object["payload"] else {
            // mosquitto_sub leaves out the payload of an empty message.
            guard object["payloadlen"]?.number == 0 else { throw InputLines.Fault("no \"payload\"") }
            return []
        }
        // '%j' prints every payload as a text; what tells it from '%J' is nothing but that.
        if case .string(let text) = payload, object["tst"] != nil { return Array(text.utf8) }
        return Array(payload.text.utf8)
    }

    private static func time(of object: JSONObject) throws(InputLines.Fault) -> Timestamp? {
        guard let text = (object["time"] ?? object["tst"])?.string else { return nil }
        // '2026-11-30T00:29:24.010510Z+0000' has its zone twice.
        let spelled = text.firstIndex(of: "Z").map { String(text[...$0]) } ?? text
        guard let time = Timestamp(iso8601: spelled) else { throw InputLines.Fault("\"\(text)\" is no time") }
        return time
    }
}
