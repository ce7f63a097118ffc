import FleetTestSupport
import Foundation
import JSON
import MQTTModel
import Testing
import Timestamps

@testable import fleet_sim

/// Against the schemas of VDA 5050 2.1.0 and what its text says of topics.
@Suite("fleet-sim: VDA 5050")
struct VDA5050FormatTests {
    /// By topic: `state.json`.
    private static let schemas = Result {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Schemas")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        return try JSONSchemas(
            Dictionary(
                uniqueKeysWithValues: files.map {
                    ($0, try JSONParser().parse([UInt8](Data(contentsOf: folder.appending(path: $0)))))
                }))
    }

    private static func violations(of json: JSONObject, on topic: String) throws -> [String] {
        try schemas.get().violations(of: .object(json), against: "\(topic).json").map(\.description)
    }

    private static func vehicle() -> VDA5050Format {
        VDA5050Format(device: DeviceScript.device("0001", of: "KIT"), plan: DeviceScript.plan)
    }

    @Test("Every message of a fleet's hour is valid against its schema, and headers count each topic")
    func schemas() throws {
        for var device in Fleet(source: "agvs", count: 2, motion: .random, seed: 7, kind: .vehicle).devices {
            var format = VDA5050Format(device: device.identity, plan: DeviceScript.plan)
            var time = DeviceScript.noon
            let will = format.will(at: time)
            var messages = [try #require(will)] + format.greeting(at: time)
            for sequence in 1...720 {
                time = time.advanced(by: .seconds(5))
                let reading = sequence % 50 == 0 ? DeviceScript.lost : device.advance(by: .seconds(5))
                messages += format.telemetry(reading, sequence: sequence, at: time)
            }
            messages += format.farewell(at: time)
            var headers: [String: Double] = [:]
            for message in messages {
                let topic = message.lastLevel
                #expect(try Self.violations(of: message.json, on: topic) == [], "\(topic)")
                let header = try message.json["headerId"]?.number
                if let last = headers[topic] { #expect(header == last + 1) }
                headers[topic] = header
                #expect(message.topicName == "uagv/v2/agvs/\(device.identity.id)/\(topic)")
                #expect(message.qos == (topic == "connection" ? .atLeastOnce : .atMostOnce))
                #expect(message.retain == (topic == "connection" || topic == "factsheet"))
            }
            #expect(headers.keys.sorted() == ["connection", "factsheet", "state", "visualization"])
        }
    }

    @Test("The schemas refuse what they should")
    func refusals() throws {
        var format = Self.vehicle()
        let state = try #require(
            format.telemetry(DeviceScript.reading(east: 1, north: 2), sequence: 1, at: DeviceScript.noon).first)
        let json = try state.json
        for (key, value) in [
            ("driving", "yes"), ("operatingMode", "AUTO"), ("timestamp", "noon"), ("headerId", 1.5),
            ("batteryState", ["batteryCharge": 101, "charging": false]), ("errors", [["errorType": "x"]]),
        ] as [(String, JSONValue)] {
            var wrong = json
            wrong[key] = value
            #expect(try Self.violations(of: wrong, on: "state").count == 1, "\(key)")
        }
        var incomplete = json
        incomplete["safetyState"] = nil
        #expect(try Self.violations(of: incomplete, on: "state") == [#"the whole: "safetyState" is missing"#])
    }

    @Test("The link is told online, offline, and by the will broken")
    func connection() throws {
        var format = Self.vehicle()
        let lastWill = format.will(at: DeviceScript.noon)
        let will = try #require(lastWill)
        #expect(try will.json["connectionState"] == "CONNECTIONBROKEN")
        let words = (format.greeting(at: DeviceScript.noon) + format.farewell(at: DeviceScript.noon)).filter {
            $0.lastLevel == "connection"
        }
        #expect(try words.map { try $0.json["connectionState"] } == ["ONLINE", "OFFLINE"])
    }

    @Test("A state comes on events and at the latest after 30 s, a visualization with every reading")
    func rhythm() throws {
        var format = Self.vehicle()
        func topics(_ reading: Reading, after seconds: Int) -> [String] {
            format.telemetry(
                reading, sequence: 1, at: DeviceScript.noon.advanced(by: .seconds(seconds))
            ).map(\.lastLevel)
        }
        let driving = DeviceScript.reading(east: 1, north: 0)
        #expect(topics(driving, after: 0) == ["state", "visualization"])
        #expect(topics(driving, after: 29) == ["visualization"])
        #expect(topics(driving, after: 30) == ["state", "visualization"])
        #expect(topics(DeviceScript.reading(east: 1, north: 0, speed: 0), after: 31) == ["state", "visualization"])
        #expect(topics(DeviceScript.lost, after: 32) == ["state", "visualization"])
        _ = format.greeting(at: DeviceScript.noon)
        #expect(topics(DeviceScript.lost, after: 33) == ["state", "visualization"])
    }

    @Test(
        "A pose is in metres on the plan, theta in radians anticlockwise from x",
        arguments: [(90.0, 0.0), (0, Double.pi / 2), (180, -Double.pi / 2), (270, Double.pi), (359, 1.5882)]
            as [(Double, Double)])
    func pose(heading: Double, theta: Double) throws {
        var format = Self.vehicle()
        let message = try #require(
            format.telemetry(
                DeviceScript.reading(east: 12.5, north: -7.25, heading: heading), sequence: 1, at: DeviceScript.noon
            ).last)
        let position = try #require(try message.json["agvPosition"]?.object)
        #expect(abs((position["x"]?.number ?? .nan) - 12.5) < 0.002)
        #expect(abs((position["y"]?.number ?? .nan) + 7.25) < 0.002)
        #expect(abs((position["theta"]?.number ?? .nan) - theta) < 1e-4)
        #expect(position["mapId"] == "hall-1" && position["positionInitialized"] == true)
    }

    @Test("A vehicle that has not found itself says so")
    func lost() throws {
        var format = Self.vehicle()
        for message in format.telemetry(DeviceScript.lost, sequence: 1, at: DeviceScript.noon) {
            #expect(try message.json["agvPosition"]?.object?["positionInitialized"] == false)
        }
    }
}
