internal import HTTPServer
public import MQTTModel

/// Who may see the fleet.
public struct AccessPolicy: Sendable {
    static let cookie = "fleet-bridge-token"

    /// What everybody must show; `nil`: nobody has to.
    private let token: [UInt8]?
    /// The names under which the server may be called; `nil`: any.
    ///
    /// Where nothing has to be shown, a page from elsewhere could read the fleet by giving its own name our address (DNS
    /// rebinding); but then its name is in the request.
    private let hosts: [String]?

    /// - Parameters:
    ///   - isLoopback: Whether only this machine reaches the server.
    ///   - hosts: Names that are right beside the loopback's own.
    public init(token: Secret?, isLoopback: Bool, hosts: [String]) {
        self.token = token?.revealed
        self.hosts = token == nil && (isLoopback || !hosts.isEmpty) ? hosts.map { $0.lowercased() } : nil
    }

    enum Verdict {
        case allowed
        /// The token is right and stands in the address: it belongs into a cookie.
        case signedIn(cookie: String)
        case wrongHost, noToken, wrongToken
    }

    func judge(_ request: HTTPRequest) -> Verdict {
        if let hosts {
            guard let host = request.text(of: "Host").map(Self.name), Self.isLoopback(host) || hosts.contains(host)
            else {
                return .wrongHost
            }
        }
        guard let token else { return .allowed }
        if let shown = request.target.value("token") {
            return Self.isSame(Array(shown.utf8), token) ? .signedIn(cookie: Self.hexadecimal(token)) : .wrongToken
        }
        let shown = request.values(of: "Authorization").compactMap(Self.bearer) + cookies(of: request)
        guard !shown.isEmpty else { return .noToken }
        return shown.contains { Self.isSame($0, token) } ? .allowed : .wrongToken
    }

    /// Compares in a time that does not tell where the difference is.
    static func isSame(_ shown: [UInt8], _ token: [UInt8]) -> Bool {
        var difference = shown.count ^ token.count
        for index in shown.indices { difference |= Int(shown[index] ^ token[index % token.count]) }
        return difference == 0
    }

    private static func bearer(_ value: [UInt8]) -> [UInt8]? {
        let scheme = Array("bearer ".utf8)
        guard value.count > scheme.count,
            String(decoding: value.prefix(scheme.count), as: UTF8.self).lowercased() == "bearer "
        else { return nil }
        return Array(value.dropFirst(scheme.count).drop { $0 == UInt8(ascii: " ") })
    }

    private func cookies(of request: HTTPRequest) -> [[UInt8]] {
        request.values(of: "Cookie").flatMap { $0.split(separator: UInt8(ascii: ";")) }.compactMap { pair in
            let text = String(decoding: pair.drop { $0 == UInt8(ascii: " ") }, as: UTF8.self)
            guard text.hasPrefix(Self.cookie + "=") else { return nil }
            return Self.bytes(hexadecimal: text.dropFirst(Self.cookie.count + 1))
        }
    }

    /// A cookie has no room for every byte.
    static func hexadecimal(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    private static func bytes(hexadecimal text: Substring) -> [UInt8]? {
        let digits = text.utf8.map { UInt8(String(UnicodeScalar($0)), radix: 16) }
        guard digits.count.isMultiple(of: 2), !digits.contains(nil) else { return nil }
        return stride(from: 0, to: digits.count, by: 2).map { (digits[$0] ?? 0) << 4 | (digits[$0 + 1] ?? 0) }
    }

    /// The host without its port.
    static func name(_ host: String) -> String {
        let host = host.lowercased()
        if host.hasPrefix("["), let end = host.firstIndex(of: "]") { return String(host[...end]) }
        return String(host.prefix { $0 != ":" })
    }

    /// A name that only this machine's own loopback answers to.
    static func isLoopback(_ name: String) -> Bool {
        if ["localhost", "[::1]"].contains(name) { return true }
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}
