import DisplayRules
import FleetTestSupport
import Foundation
import JSON
import Testing

/// docs/schemas. That what is published is as they say is checked by every test that uses ``ScriptedBroker``.
@Suite("The schemas of what is published")
struct PublishedSchemaTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private let schemas: JSONSchemas

    init() throws { schemas = try PublishedSchemas.shipped.get().schemas }

    /// The JSON blocks of a document below a heading, up to the next one of the same depth.
    private static func examples(_ document: String, _ heading: String) throws -> [JSONValue] {
        let text = try String(contentsOf: root.appending(path: document), encoding: .utf8)
        guard let start = text.range(of: "\n## \(heading)\n")?.upperBound else { return [] }
        let section = text[start...].components(separatedBy: "\n## ")[0]
        return try section.matches(of: #/(?ms)^```json\n(.*?)^```$/#).map { try JSONParser().parse(String($0.1)) }
    }

    @Test(
        "Every example in the documentation is as its schema says",
        arguments: [
            ("docs/topics.md", "Styled state", "state.schema.json"), ("README.md", "Step by step", "state.schema.json"),
            ("docs/topics.md", "Events", "event.schema.json"),
            ("docs/topics.md", "GeoJSON snapshots", "geojson.schema.json"),
            ("docs/topics.md", "Source status", "source-status.schema.json"),
            ("docs/topics.md", "Bridge status", "bridge-status.schema.json"),
            ("docs/topics.md", "Counters", "stats.schema.json"),
            ("docs/topics.md", "Rejected messages", "rejected.schema.json"),
            ("docs/topics.md", "Requests", "request.schema.json#/$defs/explain"),
        ])
    func documentation(document: String, heading: String, schema: String) throws {
        let examples = try Self.examples(document, heading)
        #expect(!examples.isEmpty)
        for example in examples { #expect(schemas.violations(of: example, against: schema) == []) }
    }

    @Test("The state's schema knows the display properties that rules can set, and no other")
    func display() throws {
        let allowed: [JSONValue] = [true, 1, "a", "#123456"]
        for property in DisplayProperty.known {
            let states = allowed.map { state(["display": [property.name: $0]]) }
            #expect(states.contains { schemas.violations(of: $0, against: "state.schema.json").isEmpty }, "\(property)")
        }
        #expect(faults("state", state(["display": ["x-own": [nil]]])) == [])
        #expect(faults("state", state(["display": ["iconColour": "#123456"]])) == ["/display/iconColour"])
    }

    private func faults(_ name: String, _ value: JSONValue) -> [String] {
        schemas.violations(of: value, against: "\(name).schema.json").map(\.pointer)
    }

    /// A right state but for some members; `nil` takes one out.
    private func state(_ changes: [String: JSONValue?]) -> JSONValue {
        var object: JSONObject = [
            "id": "r1", "source": "robots", "name": "r1", "position": ["lat": 57, "lon": 9], "charge": nil,
            "time": "2026-11-29T12:00:00.250Z", "status": "live", "statusReason": "heard",
            "statusSince": "2026-11-29T12:00:00.250Z", "display": [:],
        ]
        for (key, value) in changes { object[key] = value }
        return .object(object)
    }

    @Test(
        "A state that would mislead its reader is refused",
        arguments: [
            ([:], []),
            (["position": nil], [""]), (["charge": nil], [""]), (["display": nil], [""]),
            (["position": ["lat": 91, "lon": 9]], ["/position/lat"]),
            (["position": ["lat": 9, "lon": -180.5]], ["/position/lon"]),
            (["position": ["lat": 9]], ["/position"]),
            (["position": [9, 57]], ["/position"]),
            (["charge": "72"], ["/charge"]), (["charge": 101], ["/charge"]),
            (["heading": 360], ["/heading"]), (["heading": -1], ["/heading"]),
            (["speed": -1], ["/speed"]), (["floor": 1.5], ["/floor"]),
            (["time": "2026-11-29T12:00:00Z"], ["/time"]), (["statusSince": 1_796_032_789_444], ["/statusSince"]),
            (["status": "gone"], ["/status"]), (["status": "lost"], ["/position"]),
            (["status": "lost", "position": .some(.null)], []),
            (["lastPosition": ["lat": 57, "lon": 9, "time": "2026-11-29T12:00:00.250Z"]], ["/position"]),
            (["rawPosition": ["lat": 57, "lon": 9]], []), (["rawPosition": .some(.null)], ["/rawPosition"]),
            (["position": .some(.null), "rawPosition": ["lat": 57, "lon": 9]], ["/position"]),
            (["position": .some(.null), "positionTime": "2026-11-29T12:00:00.250Z"], ["/position"]),
            (["display": ["iconColor": "red"]], ["/display/iconColor"]),
            (["properties": [:]], ["/properties"]), (["battery": 1], ["/battery"]),
        ] as [([String: JSONValue?], [String])])
    func states(changes: [String: JSONValue?], expected: [String]) {
        #expect(faults("state", state(changes)) == expected)
    }

    private static let time: JSONValue = "2026-11-30T09:59:49.444Z"
    private static let none: JSONValue = ["live": 0, "stale": 0, "lost": 0, "offline": 0]

    /// Payloads with the places of what is wrong with them.
    private static let payloads: [(schema: String, payload: JSONValue, faults: [String])] = [
        (
            "bridge-status",
            ["state": "online", "session": 1_796_032_789_444, "since": time, "version": "1", "clientId": "a"], []
        ),
        (
            "bridge-status", ["state": "on", "session": -1, "since": time, "version": "", "clientId": nil],
            ["/state", "/session", "/version", "/clientId"]
        ),
        ("bridge-status", "offline", [""]),
        ("discovery", ["prefixes": ["homeassistant", "ha/hall"]], []),
        ("discovery", ["prefixes": []], ["/prefixes"]), ("discovery", ["prefixes": ["a", ""]], ["/prefixes/1"]),
        ("home-assistant", ["migrate_discovery": true], []),
        ("home-assistant", ["migrate_discovery": true, "origin": [:]], [""]),
        ("source-status", ["status": "initialising", "since": time, "locations": none], []),
        ("source-status", ["status": "inactive", "since": time, "locations": none], [""]),
        (
            "source-status", ["status": "notInitialised", "since": time, "locations": ["live": -1]],
            ["/status", "/locations", "/locations", "/locations", "/locations/live"]
        ),
        ("event", ["event": "removed", "time": time], []),
        ("event", ["event": "statusChanged", "time": time, "from": "live", "to": "stale", "reason": "silent"], []),
        ("event", ["event": "statusChanged", "time": time, "from": "live", "to": "gone", "reason": "silent"], [""]),
        ("event", ["event": "exploded", "time": time], [""]),
        (
            "event",
            [
                "event": "bandChanged", "time": time, "property": "iconColor", "rule": "r", "input": "charge",
                "value": "29", "from": "#ffff00", "to": "#ff0000",
            ], [""]
        ),
        ("rejected", rejected(["payload": "{"]), []),
        ("rejected", rejected(["payloadBase64": "/w=="]), []),
        ("rejected", rejected([:]), [""]),
        ("rejected", rejected(["payload": "{", "payloadBase64": "ew=="]), [""]),
        ("rejected", rejected(["payload": "{", "reason": "Bad JSON", "pointer": "lat"]), ["/reason", "/pointer"]),
        ("response", ["transaction": 7, "ok": true, "data": nil], []),
        ("response", ["ok": false, "error": ["code": "unknown-location", "message": "none"]], []),
        (
            "response", ["transaction": [], "ok": true, "error": ["code": "x", "message": "y"]],
            ["/transaction", ""]
        ),
        ("geojson", snapshot(["type": "Point", "coordinates": [9.95, 57.05]]), []),
        ("geojson", snapshot(.null), []),
        (
            "geojson", snapshot(["type": "Point", "coordinates": [57.05, 99.95]]),
            ["/features/0/geometry/coordinates/1"]
        ),
        ("geojson", snapshot(.null, ("marker-color", "#ff000080")), ["/features/0/properties/marker-color"]),
        ("geojson", snapshot(.null, ("charge", 101)), ["/features/0/properties/charge"]),
        ("geojson", snapshot(.null, ("position", ["lat": 1, "lon": 2])), ["/features/0/properties/position"]),
        ("request", ["transaction": true], ["/transaction"]),
    ]

    private static func rejected(_ changes: JSONObject) -> JSONValue {
        var object: JSONObject = [
            "topic": "a/b", "source": "a", "reason": "invalid-json", "pointer": "", "detail": "x", "time": time,
            "bytes": 1,
        ]
        for member in changes.members { object[member.key] = member.value }
        return .object(object)
    }

    private static func snapshot(_ geometry: JSONValue, _ change: (String, JSONValue)? = nil) -> JSONValue {
        var properties: JSONObject = [
            "id": "r1", "source": "robots", "name": "r1", "charge": 72, "time": time, "status": "live",
            "statusReason": "heard", "statusSince": time, "state": "cleaning", "iconColor": "#ff000080", "title": "r1",
            "marker-color": "#ff0000",
        ]
        if let (key, value) = change { properties[key] = value }
        return [
            "type": "FeatureCollection", "generation": 3, "chunk": 0, "chunks": 1, "time": time,
            "features": [["type": "Feature", "id": "r1", "geometry": geometry, "properties": .object(properties)]],
        ]
    }

    @Test("Other payloads with a fault are refused, and those without are not", arguments: payloads)
    func others(schema: String, payload: JSONValue, expected: [String]) {
        #expect(faults(schema, payload) == expected)
    }

    @Test(
        "Each topic has the schema of what stands on it",
        arguments: [
            ("fleet-bridge/status", "bridge-status"), ("fleet-bridge/stats", "stats"),
            ("fleet-bridge/rejected", "rejected"), ("fleet-bridge/robots/status", "source-status"),
            ("fleet-bridge/robots/r1/state", "state"), ("fleet-bridge/robots/r1/event", "event"),
            ("fleet-bridge/robots/geojson/12", "geojson"), ("fleet-bridge/response/sources/list", "response"),
            ("answers/for/me", "response"), ("homeassistant/device/x/config", "home-assistant"),
            ("fleet-bridge/discovery", "discovery"), ("fleet-bridge/probe/me", "probe"),
            ("fleet-bridge/robots/r1/other", nil),
            ("fleet-bridge/robots", nil),
        ])
    func topics(topicName: String, kind: String?) {
        #expect(PublishedSchemas.Kind(topicName)?.rawValue == kind)
    }

    @Test("A fault in what is published is told with topic, place and schema; a cleared topic is none")
    func faults() {
        let topicName = "fleet-bridge/robots/r1/state"
        #expect(PublishedSchemas.faults(of: [], on: topicName).isEmpty)
        #expect(PublishedSchemas.faults(of: Array(state([:]).text.utf8), on: topicName).isEmpty)
        let faults = PublishedSchemas.faults(of: Array(state(["charge": true]).text.utf8), on: topicName)
        #expect(faults == ["\(topicName): /charge: true is no number or null (docs/schemas/state.schema.json)"])
        #expect(PublishedSchemas.faults(of: Array("{".utf8), on: topicName).count == 1)
        #expect(PublishedSchemas.faults(of: [], on: "fleet-bridge/status").count == 1)
    }

    @Test("A fleet's day publishes on every topic that there is")
    func everyKind() throws {
        let rule = try DisplayRule(name: "by charge", set: [("iconColor", BandTests.charge)])
        let broker = ScriptedBroker(
            [.robots { $0.lostAfter = .seconds(60) }], rules: DisplayRuleSet([rule]))
        for payload in [
            #"{"lat":57,"lon":9,"charge":90}"#, #"{"charge":20,"speed":"fast"}"#, #"{"position":null}"#, "{",
            #"{"lat":57.5,"lon":9.5,"heading":-90,"ts":"2026-11-29T11:59:00Z","properties":{}}"#, "",
        ] {
            broker.report(payload)
            broker.wait(.seconds(90))
        }
        broker.send("fleet-bridge/request/explain", #"{"source":"robots","id":"r1"}"#)
        let kinds = Set(broker.published.compactMap { PublishedSchemas.Kind($0.topicName) })
        #expect(kinds.isSuperset(of: [.state, .event, .sourceStatus, .bridgeStatus, .stats, .response]))
    }
}
