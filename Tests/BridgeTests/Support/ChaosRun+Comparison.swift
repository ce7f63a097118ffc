import FleetTestSupport
import Glibc
import JSON
import MQTTModel
import Testing

/// What must stand there in the end.
extension ChaosRun {
    func compare() throws {
        for (index, device) in devices.enumerated() {
            switch index % 4 {
            case 0:
                try watcher.waitForState(device.id, "status", "offline")
                try watcher.waitForState(device.id, "properties.n", .number(Double(device.number)))
            case 1: try watcher.wait("\(device.id) to be gone") { $0.state(device.id) == nil }
            default:
                try watcher.waitForState(device.id, "properties.n", .number(Double(device.number)))
                try watcher.waitForState(device.id, "status", "live")
            }
            if let state = watcher.state(device.id) {
                #expect(state.number("charge") == Double(device.number % 101), "\(device.id); \(comment)")
                #expect(state.number("position.lat") == device.latitude, "\(device.id); \(comment)")
            }
        }
        try compareSimulated()
        #expect(watcher.json("fleet-bridge/robots/status")?["status"] == "available", comment)
        try compareTopics()
        try watcher.settle()
        expectNothingWentBack()
        #expect(try Stats(stored: broker).balance, comment)
        let ending = try TestClient.retained("fleet-bridge/status", port: broker.port)
        #expect(ending.first.map { $0.text.contains(#""state":"offline""#) } == true, comment)
    }

    /// Of the simulated devices one half dies and one falls silent, both after at least one report.
    private func compareSimulated() throws {
        let listener = try Listener(broker)
        let fleets = [(killedFleet, "offline"), (pausedFleet, "live")]
        for (fleet, _) in fleets {
            try watcher.wait("a report of each of \(fleet.source)") { _ in
                try listener.lastReports(of: fleet.source).count == SimulatedFleet.count
            }
        }
        try killedFleet.kill()
        pausedFleet.pause()
        for (fleet, status) in fleets {
            for (topicName, _) in try listener.lastReports(of: fleet.source) {
                let id = String(topicName.split(separator: "/")[2])
                var faults: [String] = []
                do {
                    try watcher.wait("\(fleet.source)/\(id)") { watcher in
                        let report = try listener.lastReports(of: fleet.source)[topicName] ?? JSONObject()
                        faults = Self.differences(watcher.state(id, of: fleet.source), report, status: .string(status))
                        return faults.isEmpty
                    }
                } catch {
                    Issue.record("\(fleet.source)/\(id): \(faults.joined(separator: ", ")); \(comment)")
                }
            }
        }
    }

    private static func differences(_ state: JSONObject?, _ report: JSONObject, status: JSONValue) -> [String] {
        let pairs = [
            ("position.lat", "lat"), ("position.lon", "lon"), ("floor", "floor"), ("charge", "charge"),
            ("heading", "heading"), ("speed", "speed"), ("time", "ts"), ("name", "name"), ("properties.state", "state"),
        ]
        var faults = pairs.compactMap { path, key -> String? in
            guard let said = report[key], state?.value(path) != said else { return nil }
            return "\(path) is \(state?.value(path)?.text ?? "absent"), said was \(said.text)"
        }
        if state?["status"] != status { faults.append("status is \(state?["status"]?.text ?? "absent")") }
        return faults
    }

    /// Nothing is retained that nobody said, nor anything missing; the snapshots hold the same.
    private func compareTopics() throws {
        let robots = devices.indices.filter { $0 % 4 != 1 }.map { devices[$0].id } + ["probe"]
        var members = ["robots": Set(robots)]
        for fleet in [killedFleet, pausedFleet] {
            members[fleet.source] = Set(watcher.locations(of: fleet.source))
            #expect(members[fleet.source]?.count == SimulatedFleet.count, comment)
        }
        var expected: Set = ["fleet-bridge/status", "fleet-bridge/stats"]
        for (source, ids) in members {
            expected.formUnion(ids.map { "fleet-bridge/\(source)/\($0)/state" })
            expected.formUnion(["fleet-bridge/\(source)/status", "fleet-bridge/\(source)/geojson/0"])
        }
        try watcher.wait("snapshots of all that is there, and of nothing else") { watcher in
            members.allSatisfy { source, ids in
                let features = watcher.json("fleet-bridge/\(source)/geojson/0")?["features"]?.array ?? []
                return Set(features.compactMap { $0.object?["properties"]?.object?["id"]?.string }) == ids
            }
        }
        #expect(try bridge.stop() == 0)
        let stored = try TestClient.retained("fleet-bridge/#", port: broker.port).map(\.topicName)
        #expect(Set(stored).symmetricDifference(expected) == [], comment)
    }
}
