import FleetEngine
import FleetTestSupport
import Geometry
import JSON
import Locations
import MQTTModel
import TelemetryFormats
import Testing
import Timestamps

/// How a message's fields are explained.
@Suite("Provenance")
struct ProvenanceTests {
    private static let arrival = Timestamp(iso8601: "2026-11-29T12:00:00Z") ?? Timestamp(microseconds: 0)

    private static func input(_ topic: String, _ payload: String, retained: Bool = false) -> Converter.Input {
        Converter.Input(topicName: topic, payload: Array(payload.utf8), retained: retained, arrival: arrival)
    }

    private static func explain(_ format: String, _ inputs: Converter.Input...) throws -> MessageExplanation {
        let converter = Converter(try #require(FormatTable.named(format)))
        var last: MessageExplanation?
        for input in inputs { last = converter.explain(input) }
        return try #require(last)
    }

    /// `where → field (unit)`, one text for each.
    private static func uses(_ explanation: MessageExplanation) throws -> [String] {
        let provenance = try #require(explanation.provenance)
        return provenance.origins.flatMap { origin in
            let place: String =
                switch origin.place {
                case .payload(let pointer): pointer
                case .topic(let level, let name): name.map { "{\($0)}" } ?? "level \(level)"
                }
            return origin.uses.map { use in
                "\(place) → \(use.field)" + (use.conversion.map { " (\($0))" } ?? "")
            }
        }
    }

    @Test("A phone's position: every field with its place, and the units that are not the bridge's")
    func ownTracks() throws {
        let explanation = try Self.explain(
            "owntracks",
            Self.input(
                "owntracks/jane/phone",
                #"{"_type":"location","lat":57.05,"lon":9.95,"vel":36,"cog":270,"batt":-1,"acc":12,"tst":1795953000,"tid":"JD","SSID":"x"}"#
            ))
        #expect(
            try Self.uses(explanation) == [
                "{user} → id", "{device} → id", "/lat → lat", "/lon → lon", "/vel → speed (km/h)", "/cog → heading",
                "/batt → charge", "/acc → accuracy", "/tst → time (Unix seconds)", "/tid → name",
            ])
        #expect(explanation.provenance?.notTaken == ["/SSID"])
        #expect(explanation.provenance?.deciding.map(\.place) == [.payload(pointer: "/_type")])
        #expect(explanation.policies.map(\.name) == [.meansUnknown])
        #expect(explanation.frame?.hasPrefix("WGS 84") == true)
        #expect(explanation.end == "applied")
    }

    @Test("A robot's pose on a plan: angle, axis, flag and what several values make together")
    func vda5050() throws {
        let explanation = try Self.explain(
            "vda5050",
            Self.input(
                "uagv/v2/KIT/0001/visualization",
                #"{"headerId":7,"timestamp":"2026-11-29T11:59:59.25Z","manufacturer":"KIT","serialNumber":"0001","agvPosition":{"x":1.5,"y":-2,"theta":0.5,"mapId":"hall","positionInitialized":true},"velocity":{"vx":0.3,"vy":0.4}}"#
            ))
        let uses = try Self.uses(explanation)
        #expect(uses.contains("/agvPosition/theta → heading (radians anticlockwise from x)"))
        #expect(uses.contains("/agvPosition/positionInitialized → x"))
        #expect(uses.contains("/velocity/vx → speed (computed)"))
        #expect(uses.contains("/timestamp → time (ISO 8601)"))
        #expect(explanation.frame == "plan hall, metres, y up; heading clockwise from its y axis")
    }

    @Test("A plan of the configuration shows where it puts the position, an unknown one that the bridge rejects it")
    func maps() throws {
        let origin = try #require(Position(latitude: 57, longitude: 9))
        let frame = MapFrame(origin: origin, rotation: 90)
        var settings = SourceSettings()
        settings.maps = MapTable([("hall", FloorMap(frame: frame, building: "Hall", floor: 10))])
        let converter = Converter([
            SourceConfiguration(
                id: Identifier("tags"), format: FormatTable.native,
                topics: [try TopicTemplate("fleet/tags/{device}/telemetry")],
                settings: settings)
        ])
        let placed = converter.explain(
            Self.input("fleet/tags/a/telemetry", #"{"x":0,"y":0,"map":"hall","heading":10}"#))
        #expect(placed.places.map(\.map) == ["hall"])
        #expect(placed.places.first?.fields == ["lat": 57, "lon": 9, "heading": 100, "floor": 10, "building": "Hall"])
        #expect(!placed.policies.map(\.name).contains(.valueUnusable))
        let unknown = converter.explain(Self.input("fleet/tags/a/telemetry", #"{"x":0,"y":0,"map":"hal"}"#))
        let policy = try #require(unknown.policies.first { $0.name == .unknownMap })
        #expect(policy.detail.contains("did the device mean"))
    }

    @Test(
        "Units are found by what becomes of other numbers",
        arguments: [
            (
                "traccar", "positions",
                #"{"position":{"latitude":1,"longitude":2,"speed":0,"course":0,"fixTime":1795953000000},"device":{"uniqueId":"a"}}"#,
                ["/position/speed → speed (knots)", "/position/fixTime → time (Unix milliseconds)"]
            ),
            (
                "meshtastic", "msh/EU_868/2/json/LongFast/!0a0b0c0d",
                #"{"from":1,"id":2,"type":"position","payload":{"latitude_i":374208000,"longitude_i":-1221981000,"ground_speed":4}}"#,
                [
                    "/payload/latitude_i → lat (1e-7 degrees)", "/payload/longitude_i → lon (1e-7 degrees)",
                    "/payload/ground_speed → speed (km/h)",
                ]
            ),
            (
                "roomba", "$aws/things/80A5/shadow/update",
                #"{"state":{"reported":{"pose":{"theta":-179,"point":{"x":181,"y":-13}}}}}"#,
                [
                    "/state/reported/pose/theta → heading (degrees anticlockwise from x)",
                    "/state/reported/pose/point/x → x (centimetres)", "/state/reported/pose/point/y → y (centimetres)",
                ]
            ),
            (
                "valetudo", "valetudo/otter/MapData/map-data",
                #"{"entities":[{"type":"robot_position","points":[2523,2523],"metaData":{"angle":267}}]}"#,
                [
                    "/entities/0/points/0 → x (centimetres)", "/entities/0/points/1 → y (centimetres, downwards)",
                    "/entities/0/metaData/angle → heading",
                ]
            ),
            (
                "nmea", "boat/nmea", "$GPRMC,081836.00,A,3351.5000,S,07040.2500,W,005.5,054.7,220323,011.3,E*51\r\n",
                ["/0/3 → lat (degrees and minutes)", "/0/5 → lon (degrees and minutes)", "/0/7 → speed (knots)"]
            ),
        ])
    func units(format: String, topic: String, payload: String, expected: [String]) throws {
        let uses = try Self.uses(Self.explain(format, Self.input(topic, payload)))
        for use in expected { #expect(uses.contains(use), "\(uses)") }
    }

    @Test("What earlier messages told is told apart")
    func remembered() throws {
        let topic = "$aws/things/80A5/shadow/update"
        let explanation = try Self.explain(
            "roomba", Self.input(topic, #"{"state":{"reported":{"batPct":80,"name":"Dusty"}}}"#),
            Self.input(topic, #"{"state":{"reported":{"batPct":79}}}"#))
        #expect(try Self.uses(explanation) == ["{blid} → id", "/state/reported/batPct → charge"])
        #expect(explanation.provenance?.remembered.map(\.field) == ["name"])
        #expect(explanation.policies.map(\.name).contains(.remembered))
    }

    @Test("A plain word is the field that it tells")
    func plain() throws {
        let lost = try Self.explain("valetudo", Self.input("valetudo/otter/$state", "lost", retained: true))
        #expect(try Self.uses(lost).contains(" → connection"))
        #expect(lost.policies.map(\.name).contains(.connectionByArrival))
        let level = try Self.explain("valetudo", Self.input("valetudo/otter/BatteryStateAttribute/level", "42"))
        #expect(try Self.uses(level) == ["{identifier} → id", " → charge"])
    }

    @Test(
        "Policies say what they did",
        arguments: [
            (#"{"lat":0,"lon":0,"charge":50}"#, AppliedPolicy.Name.nullIsland),
            (#"{"position":null}"#, .noFix),
            (#"{"lat":1,"lon":2,"charge":"x"}"#, .valueUnusable),
            (#"{"lat":1,"lon":2,"ts":"2004-01-01T00:00:00Z"}"#, .clockNotUsed),
            (#"{"lat":1,"lon":2,"ts":"soon"}"#, .clockNotUsed),
            (#"{"lat":1,"lon":2}"#, .noTime),
            (#"{"lat":1,"lon":2,"id":"other"}"#, .contradictingID),
            (#"{"lat":57,"lon":9,"ts":"2026-11-29T11:00:00Z"}"#, .late),
            (#"{"lat":57,"lon":9,"ts":"2026-11-29T11:59:00Z"}"#, .duplicate),
        ])
    func policies(payload: String, expected: AppliedPolicy.Name) throws {
        let topic = "fleet/v/a/telemetry"
        let explanation = try Self.explain(
            "native", Self.input(topic, #"{"lat":57,"lon":9,"ts":"2026-11-29T11:59:00Z"}"#), Self.input(topic, payload))
        #expect(explanation.policies.map(\.name).contains(expected), "\(explanation.policies)")
    }

    @Test("A rejected message shows which value it is rejected for")
    func rejected() throws {
        let explanation = try Self.explain(
            "native", Self.input("fleet/v/a/telemetry", #"{"lat":90.5,"lon":2,"charge":3}"#))
        #expect(explanation.end == "rejected")
        #expect(explanation.provenance?.deciding.map(\.place) == [.payload(pointer: "/lat")])
    }

    @Test("Reports of a batch are told apart")
    func batch() throws {
        let explanation = try Self.explain(
            "native", Self.input("fleet/v/a/telemetry", #"[{"lat":1,"lon":2},{"lat":91,"lon":2},{"lat":3,"lon":4}]"#))
        let lats = try #require(explanation.provenance).origins.filter { $0.uses.contains { $0.field == "lat" } }
        #expect(lats.map(\.place) == [.payload(pointer: "/0/lat"), .payload(pointer: "/2/lat")])
        #expect(lats.map { $0.uses.map(\.report) } == [[0], [2]])
        #expect(explanation.policies.map(\.name).contains(.partOfBatchRejected))
    }

    @Test(
        "Every field of every format's fixtures is explained, and nothing is read otherwise",
        arguments: FormatCaseTests.formats)
    func fixtures(format: String) throws {
        for example in try FormatCase.all(format) {
            let description = try #require(FormatTable.named(format))
            let (plain, explaining) = (Converter(description), Converter(description))
            for message in example.messages {
                let input = Converter.Input(
                    topicName: message.topicName, payload: message.payload, retained: message.retained,
                    arrival: Self.arrival)
                let explanation = explaining.explain(input)
                #expect(explanation.output == plain.convert(input), "\(example)")
                guard let provenance = explanation.provenance else { continue }
                #expect(!provenance.isIncomplete, "\(example)")
                // A format can have words of its own, but no measurement.
                let measured: Set = [
                    "lat", "lon", "x", "y", "map", "charge", "speed", "accuracy", "altitude", "time", "positionTime",
                    "seq", "name",
                ]
                let given = measured.intersection(provenance.given.filter { !$0.value.isNull }.map(\.field))
                #expect(given.isEmpty, "\(example): \(given)")
            }
        }
    }
}
