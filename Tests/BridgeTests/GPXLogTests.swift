import FleetTestSupport
import Foundation
import Glibc
import JSON
import LocalBroker
import Testing
import Timestamps

@Suite("The bridge's GPX log", .enabled(if: Broker.isInstalled), .timeLimit(.minutes(5)))
struct GPXLogTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "gpx-\(UUID().uuidString)").path

    private var log: String { "\(folder)/robots/r1/2026-11-29.gpx" }

    private func settings(_ more: String = "") -> String {
        Settings.robots(bridge: ["gpxLog: {directory: \"\(folder)\"\(more)}"])
    }

    private func report(_ seconds: Int, lat: Double?, from device: TestClient) throws {
        let place = lat.map { #""lat":\#($0),"lon":9"# } ?? #""position":null"#
        let time = Timestamp(iso8601: "2026-11-29T12:00:00Z")?.advanced(by: .seconds(seconds)).iso8601 ?? ""
        try device.publish("fleet/robots/r1/telemetry", #"{\#(place),"ts":"\#(time)"}"#)
    }

    private func info() throws -> JSONObject? {
        let process = try ProductProcess("fleet-sim", ["gpx", "info", log, "--json"])
        _ = try process.wait(atMost: .seconds(20))
        return try JSONParser().parse(process.output).object
    }

    @Test("What was logged over a gap, a late report and a kill replays to the same positions, and is whole all the time")
    func roundTrip() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try Broker.withBroker { broker in
            let device = try TestClient(port: broker.port, patience: .seconds(10))
            let watcher = try Watcher(broker)
            var bridge = try Bridge(broker, settings())
            try bridge.waitUntilReady()
            for second in 0..<5 where second != 3 { try report(second, lat: 57 + Double(second) / 10, from: device) }
            try report(3, lat: 57.3, from: device)
            try report(5, lat: nil, from: device)
            try report(6, lat: 57.6, from: device)
            try watcher.wait("the last position") { $0.state("r1")?.number("position.lat") == 57.6 }
            try waitForPoints(6)
            bridge.process.send(SIGKILL)
            _ = try bridge.process.wait(atMost: .seconds(10))
            #expect(try info()?.number("replayablePoints") == 6, "whole after a kill")

            bridge = try Bridge(broker, settings())
            try bridge.waitUntilReady()
            try report(7, lat: 57.7, from: device)
            try watcher.wait("the last position") { $0.state("r1")?.number("position.lat") == 57.7 }
            #expect(try bridge.stop() == 0)
            #expect(try info()?.number("replayablePoints") == 7)
            #expect(try info()?.number("segments") == 3)

            let listener = try TestClient(port: broker.port, patience: .seconds(20))
            try listener.subscribe("fleet/replay/+/telemetry")
            let replay = try ProductProcess(
                "fleet-sim",
                ["run", "--broker", broker.url, "--source", "replay", "--motion", "gpx", log, "--speed-factor", "20"])
            var latitudes: [Double] = []
            while latitudes.count < 7 {
                let message = try listener.next()
                let place = try JSONParser().parse(message.payload).object
                if let lat = place?["lat"]?.number, lat != latitudes.last { latitudes.append(lat) }
            }
            #expect(latitudes == [57, 57.1, 57.2, 57.3, 57.4, 57.6, 57.7])
            replay.send(SIGTERM)
            _ = try replay.wait(atMost: .seconds(20))
        }
    }

    private func waitForPoints(_ count: Double) throws {
        let end = ContinuousClock.now + .seconds(20)
        while try info()?.number("replayablePoints") != count, ContinuousClock.now < end { usleep(20_000) }
        #expect(try info()?.number("replayablePoints") == count)
    }

    @Test("A log that cannot be written is told, and keeps nobody waiting")
    func failing() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try Data().write(to: URL(filePath: folder))
        try Broker.withBroker { broker in
            let device = try TestClient(port: broker.port, patience: .seconds(10))
            let watcher = try Watcher(broker)
            let bridge = try Bridge(broker, settings(", sources: [robots]"))
            try bridge.waitUntilReady()
            try report(0, lat: 57, from: device)
            try watcher.wait("the state") { $0.state("r1") != nil }
            try bridge.process.waitForErrors("the GPX log cannot be written")
            try FileManager.default.removeItem(atPath: folder)
            try bridge.process.waitForErrors("the GPX log is written again")
            #expect(try bridge.stop() == 0)
            #expect(try info()?.number("replayablePoints") == 1)
        }
    }
}
