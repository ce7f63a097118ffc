/// One row of the table of formats that devices can be made to speak.
struct SimulatedFormat: Sendable {
    /// What such devices are.
    struct Kind: Sendable {
        /// Of the ids, before the number.
        var stem: String
        /// Of the names, before the number.
        var name: String
        var type: String
        /// The indices of the floors over which they are spread.
        var floors = [0, 10, 20, 30]

        static let vacuum = Kind(stem: "vacuum", name: "Vacuum ", type: "robot-vacuum")
        static let vehicle = Kind(stem: "agv", name: "AGV ", type: "agv")
        static let phone = Kind(stem: "phone", name: "Phone ", type: "person")
        static let tracker = Kind(stem: "tracker", name: "Tracker ", type: "tracker")
        static let person = Kind(stem: "person", name: "Person #", type: "People", floors: [1])
    }

    var name: String
    var kind: Kind
    /// The level above the device in the topics, where nobody has chosen another.
    var source: String
    /// As the help text shows it, with `{source}` and `{device}`.
    var topics: String
    /// Whether a device says so before it disconnects in good order.
    var saysOffline: Bool
    var make: @Sendable (DeviceIdentity, LocalPlan) -> any DeviceFormat

    static let native = SimulatedFormat(
        name: "native", kind: .vacuum, source: "vacuums", topics: "fleet/{source}/{device}/telemetry, …/connection",
        saysOffline: true, make: { device, _ in NativeFormat(device: device) })

    static let all = [
        native,
        SimulatedFormat(
            name: "owntracks", kind: .phone, source: "people", topics: "owntracks/{source}/{device}, …/info",
            saysOffline: false, make: { device, _ in OwnTracksFormat(device: device) }),
        SimulatedFormat(
            name: "vda5050", kind: .vehicle, source: "agvs",
            topics: "uagv/v2/{source}/{device}/state, …/visualization, …/connection, …/factsheet", saysOffline: true,
            make: { VDA5050Format(device: $0, plan: $1) }),
        SimulatedFormat(
            name: "valetudo", kind: .vacuum, source: "valetudo",
            topics: "{source}/{device}/$state, …/StatusStateAttribute/status, …/MapData/map-data and more",
            saysOffline: true, make: { ValetudoFormat(device: $0, plan: $1) }),
        SimulatedFormat(
            name: "roomba", kind: .vacuum, source: "roombas", topics: "$aws/things/{number}/shadow/update",
            saysOffline: false, make: { device, _ in RoombaFormat(device: device) }),
        SimulatedFormat(
            name: "homeassistant", kind: .tracker, source: "homeassistant",
            topics: "{source}/device_tracker/{device}/attributes, …/availability, …/config", saysOffline: true,
            make: { device, _ in HomeAssistantFormat(device: device) }),
        SimulatedFormat(
            name: "traccar", kind: .tracker, source: "positions", topics: "{source}", saysOffline: false,
            make: { device, _ in TraccarFormat(device: device) }),
        SimulatedFormat(
            name: "meshtastic", kind: .tracker, source: "msh", topics: "{source}/EU_868/2/json/LongFast/!{number}",
            saysOffline: false, make: { device, _ in MeshtasticFormat(device: device) }),
        SimulatedFormat(
            name: "geojson", kind: .tracker, source: "geojson", topics: "{source}/{device}", saysOffline: false,
            make: { device, _ in GeoJSONFormat(device: device) }),
        SimulatedFormat(
            name: "nmea", kind: .tracker, source: "gps", topics: "{source}/{device}/nmea", saysOffline: false,
            make: { device, _ in NMEAFormat(device: device) }),
    ]
}
