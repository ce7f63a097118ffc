internal import Glibc

/// Where a broker listens.
public struct BrokerAddress: Sendable, Hashable, CustomStringConvertible {
    /// A name, or an IPv4 or IPv6 address without brackets.
    public var host: String
    public var port: UInt16
    /// Over TLS: `mqtts://`.
    public var isSecure: Bool

    /// - Parameter port: `nil`: the one that IANA gave to MQTT, 1883, or 8883 over TLS.
    public init(host: String, port: UInt16? = nil, isSecure: Bool = false) {
        self.host = host
        self.port = port ?? (isSecure ? 8883 : 1883)
        self.isSecure = isSecure
    }

    /// Why a text is no broker's URL, for people. Never repeats what may be a secret.
    public struct SyntaxError: Error, Hashable, Sendable {
        public var message: String
        /// Whether the text is refused because of a user or password in it.
        public var isAboutCredentials = false
    }

    /// Reads `mqtt://host`, `mqtt://host:port` or `mqtt://[IPv6 address]:port`, or the same with `mqtts://`.
    public init(url: String) throws(SyntaxError) {
        guard let colon = url.utf8.firstRange(of: Array("://".utf8)) else {
            throw SyntaxError(message: "a broker is written mqtt://host:port, with its mqtt://")
        }
        // First of all, since no other message may then repeat a part.
        var rest = url[colon.upperBound...]
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        if rest.utf8.contains(UInt8(ascii: "@")) {
            throw SyntaxError(
                message: "a broker's URL carries no credentials, which others may see there", isAboutCredentials: true)
        }
        let isSecure = try Self.isSecure(scheme: url[..<colon.lowerBound].lowercased())
        rest = rest.dropFirst(authority.count)
        guard rest.isEmpty || rest == "/" else {
            throw SyntaxError(message: "a broker's URL ends after the port: mqtt://host:port")
        }
        let (host, port) = try Self.split(authority)
        self.init(host: host, port: port, isSecure: isSecure)
        guard Self.isHost(host) else {
            throw SyntaxError(message: "a broker's URL names a host: mqtt://host:port, an IPv6 address in brackets")
        }
    }

    /// `mqtt://host:port` or `mqtts://host:port`
    public var url: String {
        (isSecure ? "mqtts://" : "mqtt://") + (host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host) + ":\(port)"
    }

    public var description: String { url }

    private static func isSecure(scheme: String) throws(SyntaxError) -> Bool {
        switch scheme {
        case "mqtt": return false
        case "mqtts": return true
        case "ssl", "tls":
            throw SyntaxError(message: "TLS is written mqtts://host:port, not \(scheme)://")
        case "ws", "wss":
            throw SyntaxError(message: "WebSockets (\(scheme)://) are not supported; mqtt:// and mqtts:// are")
        default:
            throw SyntaxError(
                message: "a broker is written mqtt://host:port or mqtts://host:port; no other scheme is supported")
        }
    }

    private static func split(_ authority: Substring) throws(SyntaxError) -> (host: String, port: UInt16?) {
        let host: Substring
        let tail: Substring
        if authority.first == "[" {
            guard let end = authority.firstIndex(of: "]") else {
                throw SyntaxError(message: "the bracket before the IPv6 address is not closed: mqtt://[::1]:1883")
            }
            host = authority[authority.index(after: authority.startIndex)..<end]
            tail = authority[authority.index(after: end)...]
            guard isIPv6(String(host)) else {
                throw SyntaxError(message: "brackets enclose an IPv6 address: mqtt://[::1]:1883")
            }
        } else {
            host = authority.prefix { $0 != ":" }
            tail = authority.dropFirst(host.count)
            if tail.dropFirst().contains(":") {
                throw SyntaxError(message: "an IPv6 address stands in brackets: mqtt://[::1]:1883")
            }
        }
        if tail.isEmpty { return (String(host), nil) }
        let digits = tail.dropFirst()
        guard tail.first == ":", digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let port = UInt16(digits), port > 0
        else { throw SyntaxError(message: "the port is a number from 1 to 65535: mqtt://host:1883") }
        return (String(host), port)
    }

    private static func isHost(_ host: String) -> Bool {
        if host.utf8.contains(UInt8(ascii: ":")) { return isIPv6(host) }
        return (1...253).contains(host.utf8.count)
            && host.unicodeScalars.allSatisfy {
                ("a"..."z").contains($0) || ("A"..."Z").contains($0) || ("0"..."9").contains($0)
                    || "-._".unicodeScalars.contains($0)
            }
    }

    /// Also with a zone: `fe80::1%eth0`.
    private static func isIPv6(_ text: String) -> Bool {
        let parts = text.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 1 || !parts[1].isEmpty else { return false }
        var address = in6_addr()
        return !text.utf8.contains(0) && inet_pton(AF_INET6, String(parts[0]), &address) == 1
    }
}
