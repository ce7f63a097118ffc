import CommandLineTool

/// Where a broker listens.
struct BrokerAddress: Sendable, Hashable {
    var host: String
    var port: UInt16
}

extension BrokerAddress: CustomStringConvertible {
    var description: String {
        host.contains(":") ? "mqtt://[\(host)]:\(port)" : "mqtt://\(host):\(port)"
    }
}

extension BrokerAddress {
    /// Reads `mqtt://HOST[:PORT]`; the port is 1883 by default (MQTT 5.0, §4.2). An IPv6 address stands in brackets.
    init(url: String) throws(UsageError) {
        let shown = Escape.text(url)
        guard url.hasPrefix("mqtt://") else {
            // Not shown: whatever else this is, there may be a password in it.
            throw UsageError("a broker's address starts with mqtt://, as in mqtt://127.0.0.1:1883")
        }
        var authority = url.dropFirst("mqtt://".count)
        guard !authority.contains("@") else {
            throw UsageError("credentials do not belong on the command line, where every user of the machine sees them")
        }
        if authority.hasSuffix("/") { authority.removeLast() }
        let host: Substring
        var rest: Substring
        if authority.hasPrefix("[") {
            guard let end = authority.firstIndex(of: "]") else { throw UsageError("'\(shown)' has no closing bracket") }
            host = authority[..<end].dropFirst()
            rest = authority[authority.index(after: end)...]
        } else {
            host = authority.prefix { $0 != ":" }
            rest = authority.dropFirst(host.count)
        }
        let isPlain = host.utf8.allSatisfy { (0x21...0x7e).contains($0) } && !host.contains { "/?#\\".contains($0) }
        guard !host.isEmpty, isPlain else { throw UsageError("'\(shown)' names no host") }
        self.host = String(host)
        port = 1883
        guard !rest.isEmpty else { return }
        let digits = rest.dropFirst()
        guard rest.removeFirst() == ":", digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let port = UInt16(digits), port > 0
        else { throw UsageError("'\(shown)' has no port from 1 to 65535 after its host") }
        self.port = port
    }
}

extension ValueParser where Value == BrokerAddress {
    static var brokerAddress: ValueParser {
        word { text throws(UsageError) in try BrokerAddress(url: text) }
    }
}

extension ValueParser where Value == String {
    /// One level of a topic name, which wildcards and separators would turn into something else (MQTT 5.0, §4.7).
    static var topicLevel: ValueParser {
        word { text throws(UsageError) in
            let forbidden = text.unicodeScalars.contains { "/+#$".unicodeScalars.contains($0) || $0.value < 0x20 }
            guard !text.isEmpty, !forbidden, text.utf8.count <= 1_000 else {
                throw UsageError("'\(Escape.text(text))' is no id: one topic level without / + # $")
            }
            return text
        }
    }
}
