internal import Foundation
internal import JSON
internal import SettingsFile
internal import YAML

/// Where the map page gets the tiles that it draws under everything.
public struct TileSettings: Sendable, Equatable {
    /// As Leaflet takes it, with `{z}`, `{x}` and `{y}`; browsers fetch it, the bridge never does.
    public var url: String
    /// `scheme://host` or `scheme://host:port`, in characters that a Content-Security-Policy can carry.
    public var origin: String
    /// Text that is shown in a corner of the map.
    public var attribution: String?
    /// The nearest zoom that the server has tiles of; nearer ones are drawn enlarged.
    public var maxZoom = 19
}

/// `http.tiles` before it is known to be complete.
struct TileDraft {
    /// Nearer, the map does not go.
    static let nearestZoom = 24

    var url: (text: String, origin: String)?
    var attribution: String?
    var maxZoom = 19

    static var mapping: Mapping<TileDraft> {
        Mapping(fields: [
            Field(
                "url", .tileAddress, "The tiles' address with {z}, {x} and {y}; browsers fetch them from there.",
                required: true
            ) { draft, url, _ in draft.url = url },
            Field("attribution", .text, \.attribution, "Whose the tiles are, shown as text in a corner of the map."),
            Field(
                "maxZoom", .integer(in: 0...nearestZoom), \.maxZoom, "The nearest zoom that the server has tiles of."),
        ])
    }

    /// `nil` where the address is missing or wrong, which has been reported.
    var finished: TileSettings? {
        url.map { TileSettings(url: $0.text, origin: $0.origin, attribution: attribution, maxZoom: maxZoom) }
    }
}

extension ValueKind where Value == (text: String, origin: String) {
    /// An address with places for zoom, column and row, and the origin that it is at.
    static var tileAddress: ValueKind {
        ValueKind<String>.scalar(
            "an address such as https://tiles.example/{z}/{x}/{y}.png",
            schema: ["type": "string", "pattern": "^[Hh][Tt][Tt][Pp][Ss]?://"]
        ) { value, _ in
            if case .text(let text) = value { text } else { nil }
        }.then { text, node, context in
            do throws(TileAddressFault) {
                return (text, try TileAddress.origin(of: text))
            } catch {
                context.error(node, "\(node.quoted) \(error.message)")
                return nil
            }
        }
    }
}

struct TileAddressFault: Error {
    /// What follows the address in a sentence.
    var message: String
}

enum TileAddress {
    /// - Returns: `https://tiles.example:8443`, without a port that the scheme means anyway.
    static func origin(of text: String) throws(TileAddressFault) -> String {
        try checkPlaces(of: text)
        guard let parts = URLComponents(string: filled(text), encodingInvalidCharacters: false),
            let scheme = parts.scheme?.lowercased(), let host = parts.host?.lowercased(), !host.isEmpty
        else { throw TileAddressFault(message: "is no address such as https://tiles.example/{z}/{x}/{y}.png") }
        guard ["http", "https"].contains(scheme) else {
            throw TileAddressFault(message: "is neither http:// nor https://")
        }
        guard parts.user == nil, parts.password == nil else {
            throw TileAddressFault(
                message: "has a user's name or password in it, which every browser that shows the map would get to know"
            )
        }
        guard parts.fragment == nil else {
            throw TileAddressFault(message: "has a #, which no server gets to see")
        }
        // What a Content-Security-Policy can name: it has no form for other hosts, and must be given no other characters.
        guard host.utf8.allSatisfy({ isHostByte($0) }) else {
            throw TileAddressFault(
                message:
                    "has a host that browsers cannot be allowed by name: expected letters, digits, dots and hyphens"
                    + " (xn--… for others)")
        }
        guard let port = parts.port else { return "\(scheme)://\(host)" }
        guard (1...65_535).contains(port) else { throw TileAddressFault(message: "has a port that is none") }
        return port == (scheme == "http" ? 80 : 443) ? "\(scheme)://\(host)" : "\(scheme)://\(host):\(port)"
    }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || ".-".utf8.contains(byte)
    }

    /// Each of zoom, column and row stands there; others, which Leaflet would fail for, do not.
    private static func checkPlaces(of text: String) throws(TileAddressFault) {
        let names = text.matches(of: #/\{([^{}]*)\}/#).map { String($0.1) }
        if names.contains("s") {
            throw TileAddressFault(message: "has {s}, which is not filled in: write one host, such as a.tiles.example")
        }
        for name in names where !["z", "x", "y", "-y", "r"].contains(name) {
            throw TileAddressFault(
                message: "has {\(name)}, which is not filled in; what is are {z}, {x}, {y} (or {-y}) and {r}")
        }
        for (name, other) in [("z", "z"), ("x", "x"), ("y", "-y")]
        where !names.contains(name) && !names.contains(other) {
            throw TileAddressFault(message: "has no {\(name)}; expected {z}, {x} and {y} in it")
        }
        let authority = text.firstRange(of: "://").map { text[$0.upperBound...].prefix { !"/?#".contains($0) } }
        if authority?.contains("{") == true {
            throw TileAddressFault(message: "has places to be filled in within its host, where none can be")
        }
    }

    /// One of the addresses that come of it.
    private static func filled(_ text: String) -> String { text.replacing(#/\{[^{}]*\}/#, with: "0") }
}
