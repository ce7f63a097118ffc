internal import Glibc
public import MQTTModel
internal import SettingsFile
internal import YAML

/// Where the bridge serves its map and its API, and for whom.
public struct HTTPSettings: Sendable, Equatable {
    /// An IPv4 or IPv6 address.
    public var host = "127.0.0.1"
    /// 0: any that is free.
    public var port: UInt16 = 8080
    /// What everybody must show; `nil`: nobody has to.
    public var token: Secret?
    /// Whether others than this machine may look without a token.
    public var allowAnonymous = false
    /// Names beside the loopback's own under which the server may be called.
    public var hosts: [String] = []
    /// The folder of the page's files; `nil`: the one that comes with the bridge.
    public var webFolder: String?
    /// The folder of icons that the page shows beside its own, and rather than these; `nil`: none.
    public var iconFolder: String?
    /// `nil`: the page draws a plain ground, and asks nobody but the bridge for anything.
    public var tiles: TileSettings?

    public init() {}

    /// Whether only this machine reaches the server.
    public var isLoopback: Bool { host == "::1" || host.hasPrefix("127.") }
}

/// `http` before its parts are held against each other.
struct HTTPDraft {
    static let variable = "FLEET_BRIDGE_HTTP_TOKEN"

    var settings = HTTPSettings()
    var place = YAMLPlace(line: 1, column: 1)
    var listenPlace: YAMLPlace?
    var tokenFile: (path: String, place: YAMLPlace)?
    var tiles: TileDraft?

    static var mapping: Mapping<HTTPDraft> {
        Mapping(fields: [
            Field("listen", .listenAddress, "The address and port: 127.0.0.1:8080, or [::1]:8080.") {
                ($0.settings.host, $0.settings.port) = ($1.host, $1.port)
                $0.listenPlace = $2.place
            },
            Field(
                "tokenFile", .file(isSecret: true),
                "A file with what everybody must show; FLEET_BRIDGE_HTTP_TOKEN in the environment overrules it."
            ) { $0.tokenFile = ($1, $2.place) },
            Field(
                "allowAnonymous", .bool, \.settings.allowAnonymous,
                "Whether other machines may look without a token."),
            Field("hosts", .list(of: .text), "Names under which the server is called, beside localhost.") {
                draft, hosts, _ in draft.settings.hosts = hosts.map(\.value)
            },
            Field(
                "webFolder", .text.then { text, _, context in context.path(ofFile: text) }, \.settings.webFolder,
                "A folder with another page."),
            Field(
                "tiles", .mapping(TileDraft.mapping, startingWith: TileDraft()), \.tiles,
                "The tiles that the map is drawn on; without them it asks no other server for anything."),
        ])
    }

    /// - Parameter iconFolder: Of the setting `icons`, which stands outside of the section.
    func finished(iconFolder: String?, _ context: Context) -> HTTPSettings {
        var settings = settings
        settings.iconFolder = iconFolder
        settings.token = token(context)
        settings.tiles = tiles?.finished
        if !settings.isLoopback, settings.token == nil, tokenFile == nil, !settings.allowAnonymous {
            context.error(
                at: listenPlace ?? place,
                "\(settings.host) can be reached by others: set `tokenFile` or \(Self.variable), or `allowAnonymous: true`"
                    + " where everybody may see the fleet")
        }
        return settings
    }

    private func token(_ context: Context) -> Secret? {
        if let variable = context.surroundings.variable(Self.variable), !variable.isEmpty {
            return usable(Secret(variable), at: place, Self.variable, context)
        }
        guard let tokenFile else { return nil }
        let context = context.entering("tokenFile")
        switch context.surroundings.read(tokenFile.path) {
        case .failure(let error): context.error(at: tokenFile.place, error.message)
        case .success(let file):
            if let token = Secret(passwordFile: file.bytes) {
                return usable(token, at: tokenFile.place, "the token", context)
            }
            context.error(at: tokenFile.place, "expected a token: one line of 1 to 65535 bytes without NUL")
        }
        return nil
    }

    /// What is shown in a header cannot have everything in it.
    private func usable(_ token: Secret, at place: YAMLPlace, _ name: String, _ context: Context) -> Secret? {
        let bytes = token.revealed
        guard bytes.count <= 1_024, bytes.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
            context.error(
                at: place, "\(name) has more than 1024 bytes, spaces or control characters, which no header can carry")
            return nil
        }
        if bytes.count < 16 { context.warning(at: place, "\(name) is shorter than 16 bytes, which can be guessed") }
        return token
    }
}

extension ValueKind where Value == (host: String, port: UInt16) {
    /// An address and a port; `localhost` is 127.0.0.1.
    static var listenAddress: ValueKind {
        ValueKind<String>.scalar(
            "an address and port such as 127.0.0.1:8080 or [::1]:8080",
            schema: ["type": "string", "pattern": #"^(\[[0-9a-fA-F:.]+\]|[0-9.]+|localhost):[0-9]{1,5}$"#]
        ) { value, _ in
            if case .text(let text) = value { text } else { nil }
        }.then { text, node, context in
            let colon = text.lastIndex(of: ":") ?? text.startIndex
            var host = String(text[..<colon])
            if host == "localhost" { host = "127.0.0.1" }
            let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
            if isBracketed { host = String(host.dropFirst().dropLast()) }
            var address = in6_addr()
            guard inet_pton(isBracketed ? AF_INET6 : AF_INET, host, &address) == 1,
                let port = UInt16(text[colon...].dropFirst())
            else {
                context.expected("an address and port such as 127.0.0.1:8080 or [::1]:8080", node)
                return nil
            }
            return (host, port)
        }
    }
}
