internal import Geometry
internal import JSON
internal import SettingsFile
internal import YAML

/// A whole file before its parts are held against each other.
struct BridgeDraft {
    var broker = BrokerDraft()
    var brokerPlace = YAMLPlace(line: 1, column: 1)
    var outputBroker: BrokerDraft?
    var outputBrokerPlace = YAMLPlace(line: 1, column: 1)
    var topics = Topics()
    var snapshots = Snapshots()
    var republishRate = 1_000.0
    var maxOutput = 256 * 1024
    var stateExpiry: Duration?
    var stateExpiryPlace = YAMLPlace(line: 1, column: 1)
    var homeAssistant: HomeAssistantDraft?
    var gpxLog: GPXLogDraft?
    var http: HTTPDraft?
    var buildings: [BuildingDraft] = []
    var maps: [MapDraft] = []
    var zones: [ZoneDraft] = []
    var presence = PresenceDraft()
    var sources: [SourceDraft]?
    var displayRules: [DisplayRuleDraft]?
    var icons: IconSetting?
    var coordinateSystem: (any CoordinateSystem)?
    var instance: String?

    struct Topics {
        var prefix = "fleet-bridge"
        var prefixPlace = YAMLPlace(line: 1, column: 1)
        var encoding = Encoding.needed
    }

    /// What of ids is percent-encoded in topics.
    enum Encoding: String, CaseIterable { case needed, strict }

    struct Snapshots {
        var every: Duration? = .seconds(5)
    }

    static var mapping: Mapping<BridgeDraft> {
        Mapping(
            fields: [
                Field("broker", .mapping(BrokerDraft.mapping, startingWith: BrokerDraft()), "The broker.") {
                    $0.broker = $1
                    $0.brokerPlace = $2.place
                },
                Field(
                    "outputBroker",
                    .mapping(BrokerDraft.outputMapping, startingWith: BrokerDraft(section: "outputBroker")),
                    "The broker that the bridge publishes to, where it is another."
                ) {
                    $0.outputBroker = $1
                    $0.outputBrokerPlace = $2.place
                },
                Field(
                    "topics", .mapping(topicsMapping, startingWith: Topics()), \.topics, "Where the bridge publishes."),
                Field(
                    "republishRate", .number("a rate: topics a second, from 1 on", in: 1...1e6), \.republishRate,
                    "Retained topics a second that are published again after a connect."),
                Field("maxOutput", .size(in: 4096...(256 << 20)), \.maxOutput, "Bytes of a published message at most."),
                Field(
                    "stateExpiry", .durationOrOff(in: .seconds(1) ... .longest),
                    "How long the broker keeps a state that is not published again."
                ) { ($0.stateExpiry, $0.stateExpiryPlace) = ($1, $2.place) },
                Field(
                    "snapshots", .mapping(snapshotsMapping, startingWith: Snapshots()), \.snapshots,
                    "GeoJSON snapshots of all locations."),
                Field(
                    "homeAssistant", .mapping(HomeAssistantDraft.mapping, startingWith: HomeAssistantDraft()),
                    \.homeAssistant, "Home Assistant is told of all locations by its MQTT discovery."),
                Field(
                    "gpxLog", .mapping(GPXLogDraft.mapping, startingWith: GPXLogDraft()), \.gpxLog,
                    "Files of where locations were."),
                Field(
                    "http", .mapping(HTTPDraft.mapping, startingWith: HTTPDraft()), "The live map, the API and metrics."
                ) {
                    $0.http = $1
                    $0.http?.place = $2.place
                },
                Field(
                    "buildings", .buildings, \.buildings, "The buildings by name, with their floors, plans and zones."),
                Field("zones", .zones(building: nil), \.zones, "Parts of the site to be told of, by id."),
                Field(
                    "presence", .mapping(PresenceDraft.mapping, startingWith: PresenceDraft()), \.presence,
                    "How locations get into rooms and zones."),
                Field("maps", .maps, \.maps, "The plans that devices give their positions on, by name."),
                Field("sources", .sources, \.sources, "The location sources by id."),
                Field("displayRules", .displayRules, \.displayRules, "How locations are drawn."),
                Field(
                    "icons", .icons, \.icons,
                    "The icons that maps have: their names, or a folder of images, which the map page then shows."),
                Field(
                    "projectTo", .coordinateSystem, \.coordinateSystem,
                    "The coordinate reference system that positions are told in, too: a code such as EPSG:25832."),
                Field("instance", .instance, \.instance, "What this bridge is called, where there are several."),
            ])
    }

    private static var topicsMapping: Mapping<Topics> {
        Mapping(
            fields: [
                Field("prefix", .topicPrefix, "The levels that everything published stands below.") {
                    $0.prefix = $1
                    $0.prefixPlace = $2.place
                },
                Field(
                    "encode", .choice, \.encoding,
                    "What of ids is percent-encoded: what must be, or all but letters, digits, _ and -."),
            ])
    }

    private static var snapshotsMapping: Mapping<Snapshots> {
        Mapping(fields: [
            Field(
                "every", .durationOrOff(in: .milliseconds(100) ... .longest), \.every, "Time between two snapshots.")
        ])
    }
}

extension ValueKind where Value == String {
    static var topicPrefix: ValueKind {
        text.then { text, node, context in
            let levels = text.split(separator: "/", omittingEmptySubsequences: false)
            let isTopic =
                text.utf8.count <= 1_000 && !text.hasControlCharacters && !text.hasPrefix("$")
                && levels.allSatisfy { !$0.isEmpty && !$0.utf8.contains { "+#{}".utf8.contains($0) } }
            if isTopic { return text }
            context.error(
                node,
                "\(node.quoted) is no topic to publish below; expected levels such as fleet-bridge or site/fleet, none"
                    + " empty, without + # { }, not beginning with $, at most 1000 bytes")
            return nil
        }
    }
}
