import FleetEngine
import Geometry
import JSON
import MQTTModel
import MotionModels
import TelemetryFormats
import Testing

@testable import fleet_sim

/// What devices say is read by the bridge's decoders, which share no line with the code that wrote it.
@Suite("fleet-sim: read by the bridge")
struct RoundTripTests {
    /// Where the plan of a format has its origin, seen from the fleet's base.
    private static func shift(_ format: String) -> (x: Double, y: Double)? {
        switch format {
        case "vda5050": (0, 0)
        case "valetudo": (40, -40)  // the image's top left
        case "roomba": (-2, -1)  // the dock
        default: nil
        }
    }

    /// What the format rounds to.
    private static func rounding(_ format: String) -> (heading: Double, speed: Double, charge: Double, metres: Double) {
        switch format {
        case "owntracks": (0.51, 0.14, 0.51, 0.05)
        case "meshtastic": (0.51, 0.14, 0.51, 0.05)
        case "valetudo", "roomba": (0.51, 0, 0.51, 0.0075)
        default: (0.051, 0.006, 0.51, 0.05)
        }
    }

    private static let readings = [
        DeviceScript.reading(east: 3, north: 4, heading: 45, speed: 0.9, charge: 99.6),
        DeviceScript.reading(east: -12.34, north: 20, heading: 359.97, speed: 0.31, charge: 50),
        DeviceScript.reading(east: 29, north: -1, heading: 180.4, speed: 1.2, charge: 21, state: "returning"),
        DeviceScript.reading(east: 2, north: 1, heading: 271, speed: 0, charge: 20.4, state: "charging"),
    ]

    /// What the bridge knows after some messages.
    private struct Knowledge {
        let converter: Converter
        var fields = JSONObject()

        init(_ name: String) throws {
            converter = Converter(try #require(FormatTable.named(name)))
        }

        mutating func hear(_ messages: [Message], at seconds: Int) throws {
            for message in messages {
                let line = converter.convert(
                    Converter.Input(
                        topicName: message.topicName, payload: message.payload, retained: false,
                        arrival: DeviceScript.noon.advanced(by: .seconds(seconds))))
                let object = try #require(line.object)
                #expect(object["rejected"] == nil, "\(message.topicName): \(line.text)")
                for report in object["reports"]?.array?.compactMap(\.object) ?? [] {
                    if report["positionLost"] == true { for key in ["lat", "lon", "x", "y"] { fields[key] = nil } }
                    if report["lat"] != nil || report["x"] != nil { fields["positionLost"] = nil }
                    for member in report.members { fields[member.key] = member.value }
                }
            }
        }

        func number(_ key: String) -> Double { fields[key]?.number ?? .nan }
    }

    @Test("Position, heading, speed and charge arrive as they were", arguments: SimulatedFormat.all.map(\.name))
    func readings(name: String) throws {
        let row = try DeviceScript.format(name)
        var format = row.make(DeviceScript.device("device3", of: row.source), DeviceScript.plan)
        var knowledge = try Knowledge(name)
        try knowledge.hear(format.greeting(at: DeviceScript.noon), at: 0)
        let rounding = Self.rounding(name)
        for (index, reading) in Self.readings.enumerated() {
            let seconds = (index + 1) * 40  // so that what comes rarely comes too
            let time = DeviceScript.noon.advanced(by: .seconds(seconds))
            try knowledge.hear(format.telemetry(reading, sequence: index + 1, at: time), at: seconds)
            let truth = try #require(reading.motion.position)
            if let shift = Self.shift(name) {
                let (x, y) = DeviceScript.plan.point(truth)
                #expect(abs(knowledge.number("x") - x - shift.x) < rounding.metres)
                #expect(abs(knowledge.number("y") - y - shift.y) < rounding.metres)
            } else {
                let told = try #require(
                    Position(latitude: knowledge.number("lat"), longitude: knowledge.number("lon")))
                #expect(truth.distance(to: told) < rounding.metres)
            }
            if name != "homeassistant" {
                let heading = try #require(reading.motion.heading)
                let difference =
                    (knowledge.number("heading") - heading + 540).truncatingRemainder(dividingBy: 360) - 180
                #expect(abs(difference) <= rounding.heading, "\(knowledge.fields)")
            }
            // Speeds are told by those alone that know them; a phone that stands leaves it out.
            if rounding.speed > 0, name != "homeassistant", reading.motion.speed > 0 {
                #expect(abs(knowledge.number("speed") - reading.motion.speed) <= rounding.speed)
            }
            if name != "nmea", name != "meshtastic" || reading.state != "charging" {
                #expect(abs(knowledge.number("charge") - (reading.charge ?? .nan)) <= rounding.charge)
            }
            if let isCharging = knowledge.fields["charging"], name != "native" {
                #expect(isCharging == .bool(reading.isCharging), "\(knowledge.fields)")
            }
        }
    }

    @Test(
        "A lost position arrives as one where the format has a word for it",
        arguments: [
            "native", "vda5050", "traccar", "geojson",
        ])
    func lost(name: String) throws {
        let row = try DeviceScript.format(name)
        var format = row.make(DeviceScript.device("device3", of: row.source), DeviceScript.plan)
        var knowledge = try Knowledge(name)
        let time = DeviceScript.noon
        try knowledge.hear(format.telemetry(Self.readings[0], sequence: 1, at: time), at: 0)
        let later = time.advanced(by: .seconds(1))
        try knowledge.hear(format.telemetry(DeviceScript.lost, sequence: 2, at: later), at: 1)
        if name == "traccar" {
            // The last fix again, which says nothing of the position.
            #expect(knowledge.fields["lat"] != nil)
        } else {
            #expect(knowledge.fields["positionLost"] == true, "\(knowledge.fields)")
        }
    }

    @Test(
        "The will makes a device offline, what it says in good order too",
        arguments: ["native", "owntracks", "vda5050", "valetudo", "homeassistant"])
    func connection(name: String) throws {
        let row = try DeviceScript.format(name)
        var format = row.make(DeviceScript.device("device3", of: row.source), DeviceScript.plan)
        var knowledge = try Knowledge(name)
        let lastWill = format.will(at: DeviceScript.noon)
        let will = try #require(lastWill)
        try knowledge.hear(format.greeting(at: DeviceScript.noon), at: 0)
        #expect(knowledge.fields["connection"] != "offline")
        try knowledge.hear(format.telemetry(Self.readings[0], sequence: 1, at: DeviceScript.noon), at: 1)
        try knowledge.hear([will], at: 2)
        #expect(knowledge.fields["connection"] == "offline")
        try knowledge.hear(format.greeting(at: DeviceScript.noon), at: 3)
        try knowledge.hear(format.farewell(at: DeviceScript.noon), at: 4)
        if row.saysOffline { #expect(knowledge.fields["connection"] == "offline") }
    }
}
