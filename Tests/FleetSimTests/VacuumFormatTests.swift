import Compression
import JSON
import MQTTModel
import Testing

@testable import fleet_sim

/// Valetudo and Roomba: what they tell, and what they tell only once.
@Suite("fleet-sim: robot vacuums")
struct VacuumFormatTests {
    private static let noon = DeviceScript.noon

    // MARK: Valetudo

    private static func valetudo() -> ValetudoFormat {
        ValetudoFormat(device: DeviceScript.device("vacuum3", of: "valetudo"), plan: DeviceScript.plan)
    }

    private static func map(_ message: Message) throws -> JSONObject {
        let json = try Inflate.bytes(message.payload[...], .zlib, limit: 1 << 20)
        return try #require(try JSONParser().parse(json).object)
    }

    @Test("Valetudo's link: init, attributes, ready; lost by will, disconnected in good order; all retained at QoS 1")
    func link() throws {
        var format = Self.valetudo()
        let greeting = format.greeting(at: Self.noon)
        let base = "valetudo/vacuum3/"
        #expect(greeting.allSatisfy { $0.retain && $0.qos == .atLeastOnce && $0.topicName.hasPrefix(base) })
        let states = greeting.filter { $0.topicName == base + "$state" }.map(\.payloadText)
        #expect(
            states == ["init", "ready"] && greeting.first?.lastLevel == "$state" && greeting.last?.lastLevel == "$state"
        )
        // The Homie convention asks for these of each device, node and property.
        let texts = Dictionary(greeting.map { ($0.topicName, $0.payloadText) }) { $1 }
        #expect(texts[base + "$homie"] == "4.0.0" && texts[base + "$name"] == "Vacuum \"3\"")
        for node in try #require(texts[base + "$nodes"]).split(separator: ",") {
            #expect(texts["\(base)\(node)/$name"] != nil && texts["\(base)\(node)/$type"] != nil)
            for property in try #require(texts["\(base)\(node)/$properties"]).split(separator: ",") {
                #expect(texts["\(base)\(node)/\(property)/$datatype"] != nil)
            }
        }
        let will = try #require(format.will(at: Self.noon))
        #expect(will.payloadText == "lost" && will.topicName == base + "$state" && will.retain)
        let farewell = format.farewell(at: Self.noon)
        #expect(farewell.map(\.payloadText) == ["disconnected"])
    }

    @Test("Valetudo tells a property when it changes, and everything again after a connect")
    func changes() throws {
        var format = Self.valetudo()
        func told(_ reading: Reading) -> [String: String] {
            let messages = format.telemetry(reading, sequence: 1, at: Self.noon)
            #expect(messages.allSatisfy { $0.retain })
            return Dictionary(
                messages.map { (String($0.topicName.dropFirst("valetudo/vacuum3/".count)), $0.payloadText) }
            ) { $1 }
        }
        let cleaning = DeviceScript.reading(east: 3, north: 4)
        let all = told(cleaning)
        #expect(all["StatusStateAttribute/status"] == "cleaning" && all["BatteryStateAttribute/level"] == "72")
        #expect(all["BatteryStateAttribute/status"] == "discharging" && all["MapData/map-data"] != nil)
        #expect(told(cleaning).isEmpty)
        let charging = DeviceScript.reading(east: 3, north: 4, speed: 0, state: "charging")
        #expect(
            told(charging) == [
                "StatusStateAttribute/status": "docked", "StatusStateAttribute/flag": "resumable",
                "BatteryStateAttribute/status": "charging",
            ])
        _ = format.greeting(at: Self.noon)
        #expect(told(charging).keys.sorted() == all.keys.sorted())
    }

    @Test("Valetudo's map is a zlib stream with the robot in centimetres from the top left, y down")
    func mapData() throws {
        var format = Self.valetudo()
        let message = try #require(
            format.telemetry(DeviceScript.reading(east: 3, north: 4, heading: 45), sequence: 1, at: Self.noon).last)
        #expect(message.topicName == "valetudo/vacuum3/MapData/map-data" && message.qos == .atMostOnce)
        let map = try Self.map(message)
        #expect(map["__class"] == "ValetudoMap" && map["pixelSize"] == 5)
        let layer = try #require(map["layers"]?.array?.first?.object)
        let pixels = try #require(layer["compressedPixels"]?.array)
        #expect(pixels.count.isMultiple(of: 3) && !pixels.isEmpty)
        let entities = try #require(map["entities"]?.array?.compactMap { $0.object })
        let robot = try #require(entities.first { $0["type"] == "robot_position" })
        #expect(robot["points"] == [4_300, 3_600] && robot["metaData"]?.object?["angle"] == 45)
        let charger = try #require(entities.first { $0["type"] == "charger_location" })
        #expect(charger["points"] == [4_200, 3_900])
        let lost = try #require(format.telemetry(DeviceScript.lost, sequence: 2, at: Self.noon).last)
        let types = try Self.map(lost)["entities"]?.array?.compactMap { $0.object?["type"] }
        #expect(types?.contains("robot_position") == false)
    }

    // MARK: Roomba

    @Test("A Roomba tells everything once, then what changes, else its signal")
    func roomba() throws {
        var format = RoombaFormat(device: DeviceScript.device())
        func told(_ reading: Reading) throws -> JSONObject {
            let messages = format.telemetry(reading, sequence: 1, at: Self.noon)
            let message = try #require(messages.first)
            #expect(messages.count == 1 && !message.retain && message.qos == .atMostOnce)
            let levels = message.topicName.split(separator: "/")
            #expect(levels.count == 5 && levels[0] == "$aws" && levels[1] == "things" && levels[2].count == 16)
            #expect(levels[3...].joined(separator: "/") == "shadow/update")
            return try #require(try message.json["state"]?.object?["reported"]?.object)
        }
        let first = try told(DeviceScript.reading(east: 3.5, north: 0.75, heading: 350))
        // The dock is at 2, 1.
        #expect(first["pose"] == ["theta": 100, "point": ["x": 150, "y": -25]])
        #expect(first["batPct"] == 72 && first["name"] == "Vacuum \"3\"" && first["cap"]?.object?["pose"] == 1)
        #expect(first["cleanMissionStatus"]?.object?["phase"] == "run")
        let second = try told(DeviceScript.reading(east: 3.5, north: 0.75, heading: 350))
        #expect(second.members.map(\.key) == ["signal"])
        let third = try told(DeviceScript.reading(east: 3.6, north: 0.75, heading: 350, state: "returning"))
        #expect(third.members.map(\.key) == ["cleanMissionStatus", "pose"])
        #expect(third["cleanMissionStatus"]?.object?["phase"] == "hmMidMsn")
        #expect(try told(DeviceScript.lost)["pose"] == nil)
        _ = format.greeting(at: Self.noon)
        #expect(try told(DeviceScript.lost)["name"] != nil)
        let (will, farewell) = (format.will(at: Self.noon), format.farewell(at: Self.noon))
        #expect(will == nil && farewell.isEmpty)
    }

    @Test(
        "Theta is whole degrees anticlockwise from x, above −180",
        arguments: [(90.0, 0.0), (0, 90), (180, -90), (270, 180), (269, -179), (271, 179)])
    func theta(heading: Double, expected: Double) {
        #expect(LocalPlan.angle(heading: heading) == expected)
    }
}
