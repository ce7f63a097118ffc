extension FormatMapping {
    /// ESPresense's stations and its companion: Bluetooth tags.
    ///
    /// A station tells how far a tag is from it: the room is that of the nearest one, and there is no position. The companion
    /// tells rooms and computes positions, in degrees only where it knows where the house stands.
    static let espresense = FormatMapping([
        .ignored(["rooms/#", "settings/#"], "station", isAlive: false),
        MessageMapping(["companion/{device}/attributes"]) {
            // Where tags stand of which nothing was computed yet.
            $0.when = [.init("/x", [0]), .init("/y", [0]), .init("/z", [0])]
            $0.position = MappedPosition(.unknown)
        },
        MessageMapping(["companion/{device}/attributes"]) {
            $0.has = ["/latitude", "/longitude"]
            $0.time = ["/last_seen"]
            $0.position = .geographic("/latitude", "/longitude")
            $0.properties = [.init("confidence", ["/confidence"])]
        },
        MessageMapping(["companion/{device}/attributes"]) {
            $0.time = ["/last_seen"]
            $0.position = .plan("/x", "/y")
            $0.properties = [.init("confidence", ["/confidence"])]
        },
        MessageMapping(["companion/{device}"]) {
            $0.payload = .text
            $0.state = [MappedValue("", table: ["not_home": "not_home"], else: "home")]
            $0.properties = [.init("room", [MappedValue("") { $0.unknown = ["not_home"] }])]
        },
        MessageMapping(["devices/{device}/{room}"]) {
            $0.name = ["/name"]
            $0.charge = ["/batt"]
            $0.nearest = .init(
                "/distance", within: .seconds(30),
                properties: [.init("room", ["{room}"]), .init("distance", ["/distance"])])
        },
    ])
}
