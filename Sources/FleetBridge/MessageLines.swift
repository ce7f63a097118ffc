internal import CommandLineTool
internal import Glibc
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

    /// Why a line cannot be read.
    struct Fault: Error {
        var message: String
        init(_ message: String) { self.message = message }
    }

    /// Hands each line over; a faulty one is reported as `file:line:` and the rest still read.
    ///
    /// - Parameters:
    ///   - path: `nil` or `-`: standard input.
    ///   - use: Returns whether to go on.
    /// - Returns: ``ExitCode/failure`` where a line was faulty.
    static func read(_ path: String? = nil, _ use: (Line) throws -> Bool) throws -> ExitCode {
        let file = path.flatMap { $0 == "-" ? nil : $0 }
        let stream = file.map { fopen($0, "re") } ?? fdopen(STDIN_FILENO, "r")
        guard let stream else {
            throw Fault("\(file ?? "standard input"): \(String(cString: strerror(errno)))")
        }
        defer { fclose(stream) }
        let parser = JSONParser()
        var buffer: UnsafeMutablePointer<CChar>?
        var capacity = 0
        defer { free(buffer) }
        var number = 0
        var exitCode = ExitCode.success
        while true {
            let count = getline(&buffer, &capacity, stream)
            guard count > 0, let buffer else { break }
            number += 1
            let bytes = UnsafeRawBufferPointer(start: buffer, count: count)
            let text = [UInt8](bytes)
            guard text.contains(where: { $0 > 0x20 }) else { continue }
            do {
                if try !use(line(parser.parse(text))) { break }
            } catch let error as JSONError {
                exitCode = fault(file, number, error.detail)
            } catch let error as Fault {
                exitCode = fault(file, number, error.message)
            }
        }
        return exitCode
    }

    private static func fault(_ file: String?, _ number: Int, _ message: String) -> ExitCode {
        Output.standardError.write("\(file ?? "-"):\(number): \(Escape.text(message))\n")
        return .failure
    }

    private static func line(_ json: JSONValue) throws(Fault) -> Line {
        guard let object = json.object else { throw Fault("not an object") }
        guard let topicName = object["topic"]?.string, !topicName.isEmpty else { throw Fault("no \"topic\"") }
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

    private static func payload(of object: JSONObject) throws(Fault) -> [UInt8] {
        if let text = object["payloadBase64"]?.string {
            guard let bytes = Base64.decode(text) else { throw Fault("\"payloadBase64\" is no base64") }
            return bytes
        }
        if let text = object["payloadText"]?.string { return Array(text.utf8) }
        guard let payload = object["payload"] else {
            // mosquitto_sub leaves out the payload of an empty message.
            guard object["payloadlen"]?.number == 0 else { throw Fault("no \"payload\"") }
            return []
        }
        // '%j' prints every payload as a text; what tells it from '%J' is nothing but that.
        if case .string(let text) = payload, object["tst"] != nil { return Array(text.utf8) }
        return Array(payload.text.utf8)
    }

    private static func time(of object: JSONObject) throws(Fault) -> Timestamp? {
        guard let text = (object["time"] ?? object["tst"])?.string else { return nil }
        // '2026-11-30T00:29:24.010510Z+0000' has its zone twice.
        let spelled = text.firstIndex(of: "Z").map { String(text[...$0]) } ?? text
        guard let time = Timestamp(iso8601: spelled) else { throw Fault("\"\(text)\" is no time") }
        return time
    }
}
