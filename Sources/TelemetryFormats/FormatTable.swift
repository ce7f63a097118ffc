/// The formats that can be chosen by name.
public enum FormatTable {
    // MARK: Formats in code

    public static let native = FormatDescription(
        name: "native",
        topics: [
            "fleet/{source}/{device}/telemetry", "fleet/{source}/{device}/connection", "fleet/{source}/status",
        ],
        staleAfter: .seconds(30),
        make: { NativeFormat(settings: $0) })

    public static let ownTracks = FormatDescription(
        name: "owntracks",
        topics: ["owntracks/{user}/{device}", "owntracks/{user}/{device}/+"],
        staleAfter: .seconds(3_600),
        make: { OwnTracksFormat(settings: $0) })

    public static let vda5050 = FormatDescription(
        name: "vda5050",
        topics: ["state", "visualization", "connection", "factsheet"].map {
            "{interface}/{version}/{manufacturer}/{serial}/" + $0
        },
        staleAfter: .seconds(90),
        make: { VDA5050Format(settings: $0) })

    public static let valetudo = FormatDescription(
        name: "valetudo", topics: ["valetudo/{identifier}/#"], staleAfter: nil, maxPayload: 1024 * 1024,
        make: { ValetudoFormat(settings: $0) })

    public static let roomba = FormatDescription(
        name: "roomba",
        topics: [
            "$aws/things/{blid}/shadow/update", "$aws/things/{blid}/wifistat", "/roomba/feedback/{name}/+", "data",
        ],
        staleAfter: nil,
        make: { RoombaFormat(settings: $0) })

    public static let homeAssistant = FormatDescription(
        name: "homeassistant",
        topics: ["homeassistant/device_tracker/{device}/+", "homeassistant/vacuum/{device}/+"],
        staleAfter: nil,
        make: { HomeAssistantFormat(settings: $0) })

    public static let traccar = FormatDescription(
        name: "traccar", topics: ["positions"], staleAfter: .seconds(600), make: { TraccarFormat(settings: $0) })

    public static let meshtastic = FormatDescription(
        name: "meshtastic",
        topics: ["msh/+/2/json/+/{gateway}", "msh/+/+/2/json/+/{gateway}"],
        staleAfter: .seconds(3_600),
        make: { MeshtasticFormat(settings: $0) })

    public static let theThingsStack = FormatDescription(
        name: "thethingsstack", topics: ["v3/{application}/devices/{device}/#"], staleAfter: .seconds(86_400),
        make: { TheThingsStackFormat(settings: $0) })

    public static let chirpStack = FormatDescription(
        name: "chirpstack", topics: ["application/{application}/device/{device}/event/{event}"],
        staleAfter: .seconds(86_400), make: { ChirpStackFormat(settings: $0) })

    public static let roborock = FormatDescription(
        name: "roborock", topics: ["home/roborock/{device}/map.json", "home/roborock/{device}/status"],
        staleAfter: nil, make: { RoborockFormat(settings: $0) })

    public static let geoJSON = FormatDescription(
        name: "geojson", topics: ["geojson/{device}"], staleAfter: .seconds(30), make: { GeoJSONFormat(settings: $0) })

    public static let nmea = FormatDescription(
        name: "nmea", topics: ["{device}/gps/nmea", "{device}/nmea"], staleAfter: .seconds(30),
        make: { NMEAFormat(settings: $0) })

    // MARK: Formats as data

    public static let openMower = FormatDescription(
        name: "openmower",
        topics: ["robot_state/json", "{device}/robot_state/json", "position/json", "{device}/position/json"],
        staleAfter: .seconds(30), mapping: .openMower)

    public static let isar = FormatDescription(
        name: "isar", topics: ["isar/{device}/+"], staleAfter: .seconds(30), mapping: .isar)

    public static let flespi = FormatDescription(
        name: "flespi", topics: ["flespi/message/gw/devices/+", "flespi/message/gw/channels/+/{ident}"],
        staleAfter: .seconds(600), mapping: .flespi)

    public static let teltonika = FormatDescription(
        name: "teltonika", topics: ["teltonika/{device}/data"], staleAfter: .seconds(600), mapping: .teltonika)

    public static let hslHFP = FormatDescription(
        name: "hsl-hfp", topics: ["/hfp/v2/journey/ongoing/vp/+/{operator}/{vehicle}/#"], staleAfter: .seconds(30),
        mapping: .hslHFP)

    public static let pozyx = FormatDescription(
        name: "pozyx", topics: ["tags"], staleAfter: .seconds(30), mapping: .pozyx)

    public static let sewio = FormatDescription(
        name: "sewio", topics: ["rtls/feeds/{device}"], staleAfter: .seconds(30), mapping: .sewio)

    /// Silent while it stands on its dock.
    public static let ecovacs = FormatDescription(
        name: "ecovacs", topics: ["iot/atr/+/{device}/+/+/+"], staleAfter: nil, mapping: .ecovacs)

    public static let backgroundGeolocation = FormatDescription(
        name: "background-geolocation", topics: ["phones/{device}/location"], staleAfter: .seconds(3_600),
        mapping: .backgroundGeolocation)

    public static let espresense = FormatDescription(
        name: "espresense",
        topics: [
            "espresense/devices/{device}/{room}", "espresense/companion/{device}",
            "espresense/companion/{device}/attributes",
        ],
        staleAfter: .seconds(30), mapping: .espresense)

    public static let all = [
        native, ownTracks, vda5050, valetudo, roomba, homeAssistant, traccar, meshtastic, theThingsStack, chirpStack,
        roborock, geoJSON, nmea, openMower, isar, flespi, teltonika, hslHFP, pozyx, sewio, ecovacs,
        backgroundGeolocation, espresense,
    ]

    /// The format that the configuration describes.
    public static let mappingName = "mapping"

    public static func named(_ name: String) -> FormatDescription? {
        all.first { $0.name == name }
    }
}
