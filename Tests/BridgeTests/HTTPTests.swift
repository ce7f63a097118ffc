import FleetTestSupport
import Foundation
import Glibc
import JSON
import LocalBroker
import Testing

@Suite("The bridge over HTTP", .enabled(if: Broker.isInstalled), .timeLimit(.minutes(5)))
struct HTTPTests {
    /// A bridge that serves on a free port.
    private final class Served {
        let bridge: Bridge
        let port: UInt16

        init(
            _ broker: EmbeddedBroker, http: String = "listen: \"127.0.0.1:0\"", source: [String] = [],
            more: [String] = []
        ) throws {
            bridge = try Bridge(broker, Settings.robots(source: source, bridge: ["http: {\(http)}"] + more))
            try bridge.process.waitForErrors("url=http://127.0.0.1:")
            let url = bridge.process.errors.components(separatedBy: "url=http://127.0.0.1:")[1]
            port = try #require(UInt16(url.prefix { $0.isNumber }))
        }

        func get(_ target: String, _ headers: String...) throws -> HTTPClient.Response {
            try HTTPClient.get(port, target, headers)
        }

        func json(_ target: String, _ headers: String...) throws -> JSONObject {
            try #require(try JSONParser().parse(HTTPClient.get(port, target, headers).body).object)
        }

        /// Asks until what is asked for is so.
        func wait(_ target: String, _ headers: String..., until condition: (HTTPClient.Response) throws -> Bool) throws
        {
            let end = ContinuousClock.now + .seconds(30)
            var last: HTTPClient.Response?
            while ContinuousClock.now < end {
                let response = try HTTPClient.get(port, target, headers)
                if try condition(response) { return }
                last = response
                usleep(10_000)
            }
            Issue.record("\(target): still \(last?.status ?? 0) \(last?.text ?? "")")
        }
    }

    private func report(_ device: String, lat: Double = 57, lon: Double = 9, charge: Int, _ client: TestClient) throws {
        try client.publish("fleet/robots/\(device)/telemetry", #"{"lat":\#(lat),"lon":\#(lon),"charge":\#(charge)}"#)
    }

    private func data(_ event: EventReader.Event?) throws -> JSONObject {
        let event = try #require(event)
        return try #require(try JSONParser().parse(Array(event.data.utf8)).object)
    }

    /// Reads events until one has a location's charge.
    private func wait(for charge: Double, of id: String, in reader: EventReader) throws -> EventReader.Event {
        while let event = try reader.next() {
            for location in try data(event)["locations"]?.array ?? [] {
                if location.object?["id"]?.string == id, location.object?["charge"]?.number == charge { return event }
            }
        }
        throw HTTPClient.Failure("no event with \(charge)")
    }

    @Test("Locations as GeoJSON with filters, one by one under any id, sources, rules and an explanation")
    func api() throws {
        try Broker.withBroker { broker in
            let served = try Served(broker, source: ["building: Hall"])
            try served.bridge.waitUntilReady()
            let device = try TestClient(port: broker.port)
            try report("r1", charge: 10, device)
            try report("r2", lon: 179.5, charge: 90, device)
            let strange = "<img src=x onerror=alert(1)>"
            try report(strange, lon: -179.5, charge: 50, device)
            try served.wait("/api/locations") { try JSONParser().parse($0.body).object?["features"]?.array?.count == 3 }

            func ids(_ query: String) throws -> [String?] {
                try served.json("/api/locations?\(query)")["features"]?.array?.map { $0.object?["id"]?.string } ?? []
            }
            #expect(try ids("bbox=179,56,-179,58") == [strange, "r2"])
            #expect(try ids("bbox=8,56,10,58&building=Hall&status=live&source=robots") == ["r1"])
            #expect(try ids("building=Other") == [])
            #expect(try served.get("/api/locations?status=alive").status == 400)
            let collection = try served.get("/api/locations")
            #expect(collection.headers["content-type"] == "application/geo+json")
            #expect(collection.headers["x-content-type-options"] == "nosniff")
            #expect(collection.headers["content-security-policy"]?.contains("script-src 'self'") ?? false)

            let state = try served.get("/api/locations/robots/%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E")
            #expect(state.status == 200 && state.headers["content-type"] == "application/json")
            #expect(try JSONParser().parse(state.body).object?["id"]?.string == strange)
            #expect(PublishedSchemas.faults(of: state.body, on: "fleet-bridge/robots/x/state").isEmpty)
            #expect(try served.get("/api/locations/robots/none").status == 404)

            let explained = try served.json("/api/locations/robots/r1/explain?property=iconColor")
            #expect(explained["display"] == ["iconColor": "#ff0000"])
            #expect(try served.get("/api/locations/robots/none/explain").status == 404)
            #expect(try served.json("/api/rules")["rules"]?.array?.first?.object?["name"] == "main")
            #expect(try served.json("/api/venues")["features"]?.array?.isEmpty == true)
            #expect(try served.json("/api/sources")["sources"]?.array?.first?.object?["source"] == "robots")
            #expect(try served.get("/api/other").status == 404)
            #expect(try served.get("/healthz").status == 200)
            #expect(try served.bridge.stop() == 0)
        }
    }

    @Test("Events: a snapshot, deltas, again from where a reader was, and over a restart of the bridge a snapshot")
    func events() throws {
        try Broker.withBroker { broker in
            var served = try Served(broker)
            try served.bridge.waitUntilReady()
            let device = try TestClient(port: broker.port)
            try report("r1", charge: 1, device)
            try served.wait("/api/locations/robots/r1") { $0.status == 200 }
            let reader = try EventReader(served.port)
            let first = try #require(try reader.next())
            #expect(first.name == "snapshot")
            #expect(try data(first)["locations"]?.array?.count == 1)
            try report("r1", charge: 2, device)
            let second = try wait(for: 2, of: "r1", in: reader)
            #expect(second.name == "delta")

            try report("r2", charge: 3, device)
            let resumed = try EventReader(served.port, "/events", ["Last-Event-ID: \(second.id)"])
            let third = try wait(for: 3, of: "r2", in: resumed)
            #expect(third.name == "delta")
            #expect(try !(data(third)["locations"]?.array ?? []).contains { $0.object?["id"] == "r1" })
            let byQuery = try EventReader(served.port, "/events?lastEventId=\(second.id)")
            #expect(try byQuery.next()?.name == "delta")

            #expect(try served.bridge.stop() == 0)
            while try reader.next() != nil {}  // ends, and does not hang
            served = try Served(broker)
            let restarted = try EventReader(served.port, "/events", ["Last-Event-ID: \(third.id)"])
            #expect(try restarted.next()?.name == "snapshot")
            // What was read back is shown though the device is silent now.
            _ = try wait(for: 2, of: "r1", in: restarted)
            #expect(try served.bridge.stop() == 0)
        }
    }

    @Test("Whoever is told that the bridge is ready is told in events, too, that the broker has it")
    func connection() throws {
        try Broker.withBroker { broker in
            let served = try Served(broker)
            try served.wait("/readyz") { $0.status == 200 }
            let bridge = try data(EventReader(served.port).next())["bridge"]?.object
            #expect(bridge?["connected"] == true && bridge?["reading"] == true)
            #expect(try served.bridge.stop() == 0)
        }
    }

    @Test("A reader that does not read keeps nobody waiting, and gets the newest states when it does")
    func slowReader() throws {
        try Broker.withBroker { broker in
            let served = try Served(broker)
            try served.bridge.waitUntilReady()
            let slow = try EventReader(served.port, receiveBuffer: 4_096)
            let quick = try EventReader(served.port)
            let device = try TestClient(port: broker.port)
            let filler = String(repeating: "x", count: 8_000)
            // More than the system keeps for a reader; each is seen by the quick one before the next.
            for charge in 1...100 {
                for number in 0..<5 {
                    try device.publish(
                        "fleet/robots/r\(number)/telemetry",
                        #"{"lat":57,"lon":9,"charge":\#(charge),"filler":"\#(filler)"}"#)
                }
                if charge.isMultiple(of: 10) { _ = try wait(for: Double(charge), of: "r4", in: quick) }
            }
            _ = try wait(for: 100, of: "r4", in: slow)
            #expect(try served.bridge.stop() == 0)
        }
    }

    @Test("Many connections and garbage at once: requests are answered all the same")
    func crowd() throws {
        try Broker.withBroker { broker in
            let served = try Served(broker)
            try served.bridge.waitUntilReady()
            let idle = try (0..<150).map { _ in try HTTPClient(port: served.port) }
            for (index, client) in idle.enumerated() where index.isMultiple(of: 3) {
                try client.send((0..<200).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ index) })
            }
            for _ in 0..<50 { #expect(try served.get("/healthz").status == 200) }
            let readers = try (0..<30).map { _ in try EventReader(served.port) }
            for reader in readers { #expect(try reader.next()?.name == "snapshot") }
            withExtendedLifetime(idle) {}
            #expect(try served.bridge.stop() == 0)
        }
    }

    @Test("More readers of events than there is room for are told so")
    func readers() throws {
        try Broker.withBroker { broker in
            let served = try Served(broker)
            let readers = try (0..<50).map { _ in try EventReader(served.port) }
            let refused = try served.get("/events")
            #expect(refused.status == 503 && refused.headers["retry-after"] == "10")
            withExtendedLifetime(readers) {}
        }
    }

    @Test("The map is a file with a tag, and no path leads out of its folder")
    func files() throws {
        try Broker.withBroker { broker in
            let served = try Served(broker)
            let page = try served.get("/")
            #expect(page.status == 200 && page.headers["content-type"] == "text/html; charset=utf-8")
            let tag = try #require(page.headers["etag"])
            #expect(try served.get("/index.html", "If-None-Match: \(tag)").status == 304)
            #expect(try served.get("/index.html", "If-None-Match: \"other\"").status == 200)
            for path in [
                "/../Package.swift", "/..%2fREADME.md", "/%2e%2e/README.md", "//etc/hosts.txt",
                "/leaflet/..%2f..%2fx.js", "/.hidden.txt", "/none.js",
            ] {
                #expect(try served.get(path).status == 404, "\(path)")
            }
        }
    }

    @Test("Only the loopback's own names are answered")
    func hostCheck() throws {
        try Broker.withBroker { broker in
            let served = try Served(broker)
            for (host, status) in [("evil.example", 421), ("localhost:\(served.port)", 200), ("127.0.0.1", 200)] {
                let client = try HTTPClient(port: served.port)
                try client.send(HTTPClient.request("/api/locations", ["Host: \(host)"]))
                #expect(try client.response().status == status)
            }
        }
    }

    @Test("With a token everything but health wants it, and no log shows it")
    func token() throws {
        let token = "a-token-of-many-bytes"
        let file = try TemporaryFile("token", token + "\n")
        try Broker.withBroker { broker in
            let served = try Served(broker, http: "listen: \"127.0.0.1:0\", tokenFile: \"\(file.path)\"")
            try served.bridge.waitUntilReady()
            for path in ["/", "/api/locations", "/events", "/metrics", "/api/rules", "/leaflet/leaflet.js"] {
                let denied = try served.get(path)
                #expect(
                    denied.status == 401 && denied.headers["www-authenticate"]?.hasPrefix("Bearer") ?? false, "\(path)")
                #expect(try served.get(path, "Authorization: Bearer \(token)x").status == 401)
            }
            #expect(try served.get("/healthz").status == 200)
            #expect(try served.get("/api/locations", "Authorization: Bearer \(token)").status == 200)
            let signedIn = try served.get("/?token=\(token)")
            #expect(signedIn.status == 303 && signedIn.headers["location"] == "/")
            let cookie = try #require(signedIn.headers["set-cookie"])
            #expect(cookie.contains("HttpOnly") && cookie.contains("SameSite"))
            let pair = cookie.prefix { $0 != ";" }
            #expect(try served.get("/", "Cookie: \(pair)").status == 200)
            #expect(try served.get("/?token=wrong").status == 401)
            #expect(try served.bridge.stop() == 0)
            #expect(!served.bridge.process.errors.contains(token))
            #expect(!served.bridge.process.errors.contains(pair.split(separator: "=").last ?? ""))
        }
    }

    @Test(
        "Ready when the broker has the bridge and messages come round; not while it is away, and again when it is back")
    func readiness() throws {
        try Broker.withBroker { broker in
            let served = try Served(broker)
            try served.bridge.waitUntilReady()
            let device = try TestClient(port: broker.port)
            try report("r1", charge: 1, device)
            try served.wait("/readyz") { $0.status == 200 }
            #expect(try served.json("/readyz")["ready"] == true)
            broker.kill()
            try served.wait("/readyz") { $0.status == 503 }
            #expect(try served.json("/readyz")["reasons"]?.array?.first?.object?["reason"] == "not-connected")
            #expect(try served.get("/healthz").status == 200)
            // What is known is still shown.
            #expect(try served.get("/api/locations/robots/r1").status == 200)
            try broker.start()
            try served.wait("/readyz") { $0.status == 200 }
            #expect(try served.bridge.stop() == 0)
        }
    }

    @Test("A source that is reloaded away leaves the board")
    func reload() throws {
        try Broker.withBroker { broker in
            let served = try Served(broker)
            try served.bridge.waitUntilReady()
            let device = try TestClient(port: broker.port)
            try report("r1", charge: 1, device)
            try served.wait("/api/locations/robots/r1") { $0.status == 200 }
            try served.bridge.reload(
                Settings.robots(bridge: ["http: {listen: \"127.0.0.1:0\"}"]).replacing("  robots:", with: "  others:"))
            try served.wait("/api/sources") { !$0.text.contains("\"source\":\"robots\"") && $0.text.contains("others") }
            try served.wait("/api/locations/robots/r1") { $0.status == 404 }
            #expect(try served.bridge.stop() == 0)
        }
    }

    private static let hasParser =
        (try? CertificateAuthority.run(["/usr/bin/python3", "-c", "import prometheus_client.parser"])) != nil

    @Test(
        "Prometheus' own parser reads the metrics, and they say what happened",
        .enabled(if: hasParser, "needs Debian's python3-prometheus-client"))
    func metrics() throws {
        try Broker.withBroker { broker in
            let served = try Served(broker, more: [#"instance: 'Hall "1"'"#])
            try served.bridge.waitUntilReady()
            let device = try TestClient(port: broker.port)
            try report("r1", charge: 1, device)
            try device.publish("fleet/robots/r2/telemetry", "{")
            try served.wait("/metrics") { $0.text.contains("fleet_bridge_messages_received_total 2") }
            let response = try served.get("/metrics")
            #expect(response.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8")
            let script = """
                import json, sys
                from prometheus_client.parser import text_string_to_metric_families
                found = {}
                for family in text_string_to_metric_families(sys.stdin.read()):
                    assert family.documentation and family.type in ("counter", "gauge"), family
                    for s in family.samples:
                        found[s.name + json.dumps(sorted(s.labels.items()))] = s.value
                print(json.dumps(found))
                """
            let parser = try ProductProcess(program: "/usr/bin/python3", ["-c", script], input: response.body)
            #expect(try parser.wait(atMost: .seconds(30)) == 0, "\(parser.errors)")
            let found = try #require(try JSONParser().parse(parser.output).object)
            #expect(found[#"fleet_bridge_messages_total[["result", "applied"]]"#] == 1)
            #expect(found[#"fleet_bridge_messages_total[["result", "rejected"]]"#] == 1)
            #expect(found[#"fleet_bridge_message_reasons_total[["reason", "invalid-json"]]"#] == 1)
            #expect(found[#"fleet_bridge_locations[["source", "robots"], ["status", "live"]]"#] == 1)
            #expect(found["fleet_bridge_connected[]"] == 1)
            let info = #"fleet_bridge_info[["name", "Hall \"1\""], ["version", "#
            #expect(found.members.contains { $0.key.hasPrefix(info) && $0.value == 1 })
            #expect((found["process_resident_memory_bytes[]"]?.number ?? 0) > 1_000_000)
        }
    }

    @Test("A port that is taken ends the bridge with a message")
    func taken() throws {
        try Broker.withBroker { broker in
            let served = try Served(broker)
            let second = try Bridge(broker, Settings.robots(bridge: ["http: {listen: \"127.0.0.1:\(served.port)\"}"]))
            #expect(try second.process.wait(atMost: .seconds(20)) == 1)
            #expect(second.process.errors.contains("http.listen"))
        }
    }
}
