internal import JSON
internal import Locations
internal import MQTTModel
internal import Timestamps

/// Which rejections are told on `P/rejected`: within a while each topic and reason once, and so many in all, so that neither
/// one bad device nor a thousand of them flood whoever listens. The counters have all of them.
struct RejectionReports {
    static let interval = Duration.seconds(10)
    static let maximum = 100

    private var told: Set<Identifier> = []
    private var end = Duration.zero

    /// - Parameter key: Topic and reason.
    mutating func admits(_ key: String, at now: Duration) -> Bool {
        if now >= end {
            told.removeAll(keepingCapacity: true)
            end = now + Self.interval
        }
        return told.count < Self.maximum && told.insert(Identifier(key)).inserted
    }
}

extension Rejection {
    /// Bytes of the payload that are shown.
    private static let excerpt = 256
    /// Bytes of a text from outside: a topic or a pointer may be as long as a payload.
    private static let longest = 1_000

    /// The payload for `P/rejected`.
    func report(of message: Message, source: String, at time: Timestamp) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        let texts = [
            ("topic", message.topicName), ("source", source), ("reason", reason.rawValue), ("pointer", pointer),
            ("detail", detail), ("time", time.iso8601),
        ]
        for (key, text) in texts {
            writer.key(key)
            writer.string(text.cut(to: Self.longest))
        }
        writer.key("bytes")
        writer.integer(message.payload.count)
        let start = message.payload.prefix(Self.excerpt)
        if let text = Self.text(start, isCut: start.count < message.payload.count) {
            writer.key("payload")
            writer.string(text)
        } else {
            writer.key("payloadBase64")
            writer.string(Base64.encode(start))
        }
        writer.endObject()
        return writer.bytes
    }

    /// - Parameter isCut: Then a character at the end may be half.
    private static func text(_ bytes: ArraySlice<UInt8>, isCut: Bool) -> String? {
        for half in 0...(isCut ? 3 : 0) {
            if let text = String(validating: bytes.dropLast(half), as: UTF8.self) { return text }
        }
        return nil
    }
}

extension String {
    /// At most so many bytes; what is left out is shown by an ellipsis.
    func cut(to count: Int) -> String {
        guard utf8.count > count else { return self }
        var end = utf8.index(startIndex, offsetBy: count - 3)
        while end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
        return self[..<end] + "…"
    }
}

/// Base64 (RFC 4648, §4).
enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    static func encode(_ bytes: some Collection<UInt8>) -> String {
        var text: [UInt8] = []
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let group = rest.prefix(3)
            rest = rest.dropFirst(3)
            let bits = group.reduce(0) { $0 << 8 | UInt32($1) } << (8 * (3 - UInt32(group.count)))
            for place in 0..<4 {
                text.append(place > group.count ? UInt8(ascii: "=") : alphabet[Int(bits >> (18 - 6 * place) & 63)])
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
