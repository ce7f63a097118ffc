internal import JSON

/// What the page is told at `/api/settings`.
public struct PageSettings: Sendable {
    /// What people call the bridge.
    public var name: String?
    /// Where tiles come from; `nil`: there are none.
    public var tiles: Tiles?

    public struct Tiles: Sendable {
        /// With `{z}`, `{x}` and `{y}`.
        public var url: String
        /// What browsers are allowed to fetch images from beside the bridge: `https://tiles.example`.
        public var origin: String
        /// Text, whatever stands in it.
        public var attribution: String?
        /// The nearest zoom that there are tiles of.
        public var maxZoom: Int

        public init(url: String, origin: String, attribution: String?, maxZoom: Int) {
            (self.url, self.origin, self.attribution, self.maxZoom) = (url, origin, attribution, maxZoom)
        }
    }

    public init(name: String? = nil, tiles: Tiles? = nil) { (self.name, self.tiles) = (name, tiles) }

    /// Origins beside our own whose images the page may show.
    var imageSources: [String] { tiles.map { [$0.origin] } ?? [] }

    func document(icons: JSONValue) -> JSONValue {
        var members: [(String, JSONValue)] = name.map { [("name", .string($0))] } ?? []
        if let tiles {
            var values: [(String, JSONValue)] = [("url", .string(tiles.url))]
            if let attribution = tiles.attribution { values.append(("attribution", .string(attribution))) }
            values.append(("maxZoom", .number(Double(tiles.maxZoom))))
            members.append(("tiles", .object(JSONObject(values))))
        }
        return .object(JSONObject(members + [("icons", icons)]))
    }
}
