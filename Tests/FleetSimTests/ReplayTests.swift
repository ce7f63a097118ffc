import CommandLineTool
import FleetTestSupport
import Foundation
import Geometry
import JSON
import LocalBroker
import MQTTModel
import Testing

@testable import fleet_sim

/// Files played to a real broker.
@Suite("fleet-sim run with a file", .enabled(if: Broker.isInstalled), .timeLimit(.minutes(5)))
struct ReplayTests {
    private static func file(_ name: String) -> String {
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "GPXTests/Cases/\(name).gpx").path
    }

    /// All telemetry of a run that ends by itself; `nil` stands for a lost position.
    private func places(_ arguments: String..., sourceTopic: String = "fleet/vacuums/vacuum0/telemetry") throws
        -> [[Double]?]
    {
        var result: [[Double]?] = []
        try Broker.withBroker { broker in
            let client = try TestClient(port: broker.port)
            try client.subscribe(sourceTopic)
            let process = try ProductProcess("fleet-sim", ["run", "--broker", broker.url, "--for", "30s"] + arguments)
            #expect(try process.wait(atMost: .seconds(40)) == 0, "\(process.errors)")
            for message in try client.settle() {
                let json = try #require(try JSONParser().parse(message.payload).object)
                #expect(json["building"] == nil)
                if json["position"]?.isNull == true {
                    result.append(nil)
                } else {
                    result.append([try #require(json["lat"]?.number), try #require(json["lon"]?.number)])
                }
            }
        }
        return result
    }

    @Test("Each replayable point is sent once and in order, and losses between segments; then the device leaves")
    func points() throws {
        let places = try places("--motion", "gpx", Self.file("07-time-disorder"), "--speed-factor", "50")
        let north = places.map { $0.map { Int((($0[0] - 57.0582) * 1e6).rounded()) } }
        #expect(north == [0, 10, 15, 20, 30, 40, 50, nil, 100, 110, 120, 130])
    }

    @Test("A fast replay leaves nothing out")
    func fast() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "replay-\(UUID().uuidString).gpx").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let points = (0..<2_000).map { number in
            let time = "2026-11-29T12:\(10 + number / 60):\(10 + number % 50)Z"
            return "<trkpt lat=\"57.0\" lon=\"\(9 + Double(number) / 10_000)\"><time>\(time)</time></trkpt>"
        }
        let text =
            "<gpx xmlns=\"http://www.topografix.com/GPX/1/1\"><trk><trkseg>\(points.joined())</trkseg></trk></gpx>"
        try Data(text.utf8).write(to: URL(filePath: path))
        let places = try places("--motion", "gpx", path, "--speed-factor", "1000000")
        #expect(places.count == 2_000)
    }

    @Test("With an interval it is told on its way")
    func sampled() throws {
        let places = try places(
            "--motion", "gpx", Self.file("04-prefixed-namespace"), "--speed-factor", "20", "--interval", "100ms")
        let latitudes = try places.map { try #require($0?[0]) }
        // Twenty seconds in one: from the first point to the last, two metres of the track's time apart.
        #expect(latitudes.count == 11 && latitudes.first == 57.0582 && latitudes.last == 57.05824)
        #expect(latitudes == latitudes.sorted() && Set(latitudes).count == 11)
    }

    @Test("A file without times is refused, and played with an interval")
    func untimed() throws {
        let process = try ProductProcess("fleet-sim", ["run", "--motion", "gpx", Self.file("01-no-time")])
        #expect(try process.wait() == 1)
        #expect(
            process.errors.contains(
                "01-no-time.gpx: no track point has a time, of 6; --point-interval DURATION replays"))
        let places = try places("--motion", "gpx", Self.file("01-no-time"), "--point-interval", "20ms")
        #expect(places.count == 6)
    }

    @Test("One line says what is not replayed, with its reasons")
    func warning() throws {
        try Broker.withBroker { broker in
            let process = try ProductProcess(
                "fleet-sim",
                [
                    "run", "--broker", broker.url, "--for", "30s", "--motion", "gpx", Self.file("02-mixed-time"),
                    "--speed-factor", "1000",
                ])
            #expect(try process.wait(atMost: .seconds(40)) == 0)
            #expect(
                process.errors.contains(
                    "5 of 9 track points are not replayed: 3 no time of its own, 2 time unreadable\n"))
            #expect(process.output.contains("4 of 4 messages acknowledged"))
        }
    }

    @Test("A route is gone along at its speed, and its devices are spread over it", arguments: ["gpx", "geojson"])
    func route(format: String) throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "route-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let text =
            format == "gpx"
            ? "<gpx xmlns=\"http://www.topografix.com/GPX/1/1\"><rte><rtept lat=\"57\" lon=\"179.999\"/><rtept lat=\"57\" lon=\"-179.999\"/></rte></gpx>"
            : "{\"type\":\"Feature\",\"geometry\":{\"type\":\"LineString\",\"coordinates\":[[179.999,57],[-179.999,57,5]]}}"
        try Data(text.utf8).write(to: URL(filePath: path))
        try Broker.withBroker { broker in
            let client = try TestClient(port: broker.port)
            try client.subscribe("fleet/vacuums/+/telemetry")
            let process = try ProductProcess(
                "fleet-sim",
                [
                    "run", "--broker", broker.url, "--for", "60s", "--motion", "route", path, "--speed", "10", "--end",
                    "reverse", "--count", "2", "--interval", "200ms",
                ])
            var last: [String: Position] = [:]
            for _ in 0..<20 {
                let message = try client.next("telemetry")
                let json = try #require(try JSONParser().parse(message.payload).object)
                let place = try #require(
                    Position(latitude: json["lat"]?.number ?? .nan, longitude: json["lon"]?.number ?? .nan))
                #expect(json["speed"] == 10 && abs(place.longitude) > 179.99)
                let device = try #require(message.topicName.split(separator: "/").dropLast().last)
                if let before = last[String(device)] { #expect(abs(before.distance(to: place) - 2) < 0.03) }
                last[String(device)] = place
            }
            let places = Array(last.values)
            #expect(places.count == 2 && places[0].distance(to: places[1]) > 20)
            process.send(SIGTERM)
            #expect(try process.wait() == 0)
        }
    }
}

@Suite("Arguments of --motion")
struct MotionOptionTests {
    @Test("A file belongs to gpx and route")
    func files() throws {
        let motion = { (words: [String]) in try RunCommand.command.parse(words)[RunCommand.motion] }
        #expect(try motion([]) is RandomFleetMotion)
        #expect(try motion(["--motion", "walk"]) is WalkFleetMotion)
        #expect(try (motion(["--motion", "gpx", "a.gpx", "--loop"]) as? GPXFleetMotion)?.path == "a.gpx")
        #expect(try (motion(["--motion=route", "b.json"]) as? RouteFleetMotion)?.path == "b.json")
        for words in [["--motion", "gpx"], ["--motion", "gxp", "a"], ["--motion"]] {
            #expect(throws: UsageError.self) { try motion(words) }
        }
    }

    @Test("Numbers are decimal", arguments: ["0", "-1", "nan", "0x10", "1e3", "", "2000000"])
    func numbers(text: String) {
        #expect(throws: UsageError.self) { try RunCommand.command.parse(["--speed-factor=\(text)"]) }
    }

    @Test(
        "Files that are no line are refused with the reason",
        arguments: [
            ("{\"type\":\"Point\",\"coordinates\":[1,2]}", "no LineString"), ("{\"type\":", ""),
            ("{\"type\":\"LineString\",\"coordinates\":[[1,2],[200,2]]}", "coordinates/1"),
            ("<gpx xmlns=\"http://www.topografix.com/GPX/1/1\"><wpt lat=\"1\" lon=\"1\"/></gpx>", "no route (rte)"),
            ("<gpx xmlns=\"http://www.topografix.com/GPX/1/1\"><rte>", ":1:"), ("", "empty"),
        ])
    func routes(text: String, reason: String) throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "route-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data(text.utf8).write(to: URL(filePath: path))
        let error = #expect(throws: (any Error).self) { try RouteFile(path: path) }
        #expect(error.map { "\($0)" }?.hasPrefix(path) == true)
        #expect(reason.isEmpty || error.map { "\($0)".contains(reason) } == true, "\(String(describing: error))")
    }
}
