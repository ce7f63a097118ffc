import JSON
import MQTTModel
import Testing

@testable import fleet_sim

/// Byte for byte what OwnTracks, Home Assistant, Traccar, Meshtastic, GeoJSON and NMEA have in their specifications.
@Suite("fleet-sim: phones and trackers")
struct PhoneAndTrackerFormatTests {
    private static let reading = DeviceScript.reading(east: 0, north: 0, heading: 270, speed: 1.5, accuracy: 3.2)

    private static func first(_ format: some DeviceFormat, _ reading: Reading = reading) throws -> Message {
        var format = format
        return try #require(format.telemetry(reading, sequence: 7, at: DeviceScript.noon).first)
    }

    @Test("OwnTracks: whole metres, km/h and degrees, seconds, retained at QoS 1")
    func ownTracks() throws {
        let message = try Self.first(OwnTracksFormat(device: DeviceScript.device("phone0", of: "people")))
        #expect(message.topicName == "owntracks/people/phone0" && message.retain && message.qos == .atLeastOnce)
        #expect(
            message.payloadText == """
                {"_type":"location","acc":4,"batt":72,"bs":1,"cog":270,"conn":"m","lat":57.0582502,"lon":9.9504788,\
                "t":"t","tid":"e0","tst":1796040000,"vel":5}
                """)
    }

    @Test("OwnTracks: what is zero is left out, north is 360, and without a fix nothing is said")
    func ownTracksZeros() throws {
        let device = DeviceScript.device("phone0", of: "people")
        let north = DeviceScript.reading(
            east: 0, north: 0, heading: 359.9, speed: 0, charge: 100, state: "charging")
        let json = try Self.first(OwnTracksFormat(device: device), north).json
        #expect(json["vel"] == nil && json["cog"] == 360 && json["bs"] == 2)
        let still = DeviceScript.reading(east: 0, north: 0, heading: nil, charge: 100, state: "docked")
        let full = try Self.first(OwnTracksFormat(device: device), still).json
        #expect(full["cog"] == nil && full["bs"] == 3)
        let lost = OwnTracksFormat(device: device).telemetry(DeviceScript.lost, sequence: 1, at: DeviceScript.noon)
        #expect(lost.isEmpty)
    }

    @Test("OwnTracks: the will comes on the location's topic with the time of the connect")
    func ownTracksWill() throws {
        var format = OwnTracksFormat(device: DeviceScript.device("phone0", of: "people"))
        let will = try #require(format.will(at: DeviceScript.noon))
        #expect(will.topicName == "owntracks/people/phone0" && !will.retain)
        #expect(will.payloadText == #"{"_type":"lwt","tst":1796040000}"#)
        let farewell = format.farewell(at: DeviceScript.noon)
        #expect(farewell.isEmpty)
    }

    @Test("Home Assistant: numbers as numbers, availability retained and by will, None when lost")
    func homeAssistant() throws {
        var format = HomeAssistantFormat(device: DeviceScript.device("tracker0", of: "homeassistant"))
        let greeting = format.greeting(at: DeviceScript.noon)
        let base = "homeassistant/device_tracker/tracker0"
        #expect(greeting.map(\.topicName) == ["\(base)/config", "\(base)/availability"])
        #expect(greeting.allSatisfy { $0.retain })
        #expect(try greeting[0].json["json_attributes_topic"] == .string("\(base)/attributes"))
        #expect(format.will(at: DeviceScript.noon)?.payloadText == "offline")
        let message = try Self.first(format)
        #expect(message.topicName == "\(base)/attributes")
        #expect(
            message.payloadText
                == #"{"latitude":57.0582502,"longitude":9.9504788,"gps_accuracy":3.2,"battery_level":72}"#)
        let lost = format.telemetry(DeviceScript.lost, sequence: 1, at: DeviceScript.noon)
        #expect(lost.map(\.payloadText) == ["None"])
        #expect(format.telemetry(DeviceScript.lost, sequence: 2, at: DeviceScript.noon).isEmpty)
    }

    @Test("Traccar: knots, +00:00, and an outdated last fix where there is none")
    func traccar() throws {
        var format = TraccarFormat(device: DeviceScript.device("tracker0", of: "positions"))
        let message = try #require(format.telemetry(Self.reading, sequence: 1, at: DeviceScript.noon).first)
        #expect(message.topicName == "positions" && !message.retain)
        let position = try #require(try message.json["position"]?.object)
        #expect(position["speed"] == 2.916)  // knots
        #expect(position["fixTime"] == "2026-11-30T12:00:00.250+00:00")
        #expect(position["valid"] == true && position["outdated"] == false && position["course"] == 270)
        let id = try #require(try message.json["device"]?.object?["uniqueId"]?.string)
        #expect(id.utf8.count == 15 && id.utf8.allSatisfy { (0x30...0x39).contains($0) })
        let later = DeviceScript.noon.advanced(by: .seconds(9))
        let lost = try #require(format.telemetry(DeviceScript.lost, sequence: 2, at: later).first)
        let last = try #require(try lost.json["position"]?.object)
        #expect(last["outdated"] == true && last["valid"] == false && last["latitude"] == position["latitude"])
        #expect(last["fixTime"] == position["fixTime"] && last["deviceTime"] != position["deviceTime"])
    }

    @Test("Meshtastic: 1e-7 and 1e-5 degrees, packets with ids of their own, 101 on external power")
    func meshtastic() throws {
        var format = MeshtasticFormat(device: DeviceScript.device("tracker0", of: "msh"))
        let name = try #require(format.greeting(at: DeviceScript.noon).first)
        let id = try #require(try name.json["sender"]?.string)
        #expect(name.topicName == "msh/EU_868/2/json/LongFast/\(id)")
        #expect(id.utf8.count == 9 && id.hasPrefix("!"))
        #expect(try name.json["payload"]?.object?["longname"] == "Vacuum \"3\"")
        let messages = format.telemetry(Self.reading, sequence: 1, at: DeviceScript.noon)
        #expect(try messages.map { try $0.json["type"] } == ["position", "telemetry"])
        let position = try #require(try messages[0].json["payload"]?.object)
        #expect(position["latitude_i"] == 570_582_502 && position["longitude_i"] == 99_504_788)
        #expect(position["ground_track"] == 27_000_000 && position["ground_speed"] == 5)
        #expect(try messages[0].json["from"]?.number.map { String(Int($0), radix: 16) } == String(id.dropFirst()))
        let packets = try ([name] + messages).compactMap { try $0.json["id"]?.number }
        #expect(packets.count == 3 && packets[1] == packets[0] + 1 && packets[2] == packets[1] + 1)
        let charging = DeviceScript.reading(east: 0, north: 0, speed: 0, charge: 30, state: "charging")
        let telemetry = try #require(format.telemetry(charging, sequence: 2, at: DeviceScript.noon).last)
        #expect(try telemetry.json["payload"]?.object?["battery_level"] == 101)
        #expect(format.telemetry(charging, sequence: 3, at: DeviceScript.noon).count == 1)
    }

    @Test("GeoJSON: longitude first, and no geometry without a place")
    func geoJSON() throws {
        let format = GeoJSONFormat(device: DeviceScript.device("tracker0", of: "geojson"))
        let json = try Self.first(format).json
        #expect(json["geometry"] == ["type": "Point", "coordinates": [9.9504788, 57.0582502]])
        #expect(json["type"] == "Feature" && json["id"] == "tracker0")
        #expect(try Self.first(format, DeviceScript.lost).json["geometry"] == .null)
    }

    @Test("NMEA: RMC and GGA with checksums, degrees and minutes, knots; empty fields without a fix")
    func nmea() throws {
        let format = NMEAFormat(device: DeviceScript.device("tracker0", of: "gps"))
        let message = try Self.first(format)
        #expect(message.topicName == "gps/tracker0/nmea")
        #expect(
            message.payloadText == """
                $GPRMC,120000.25,A,5703.49501,N,00957.02873,E,2.916,270.0,301126,,,A*59\r
                $GPGGA,120000.25,5703.49501,N,00957.02873,E,1,09,0.9,1.0,M,0.0,M,,*54\r

                """)
        #expect(
            try Self.first(format, DeviceScript.lost).payloadText.hasPrefix("$GPRMC,120000.25,V,,,,,,,301126,,,N*"))
    }
}
