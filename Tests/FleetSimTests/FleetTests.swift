import Geometry
import JSON
import MQTTModel
import MotionModels
import Randomness
import Testing
import Timestamps

@testable import fleet_sim

private let noon = Timestamp(milliseconds: 1_796_040_000_250)

private func identity(_ id: String = "vacuum3") -> DeviceIdentity {
    DeviceIdentity(
        source: "vacuums", id: id, name: "Vacuum \"3\"", type: "robot-vacuum", building: "Stigsborgvej", floor: 30)
}

@Suite("Fleets and what they say")
struct FleetTests {
    @Test("The default fleet is the tutorial's")
    func tutorial() throws {
        let devices = Fleet(source: "vacuums", count: 16, motion: .random, seed: 1).devices
        #expect(devices.map(\.identity.id) == (0..<16).map { "vacuum\($0)" })
        #expect(devices.map(\.identity.name) == (0..<16).map { "Vacuum \($0)" })
        #expect(devices.map(\.identity.floor) == (0..<16).map { 10 * ($0 % 4) })
        #expect(devices.allSatisfy { $0.identity.building == "Stigsborgvej" && $0.identity.type == "robot-vacuum" })
    }

    @Test("As told, positions stay within 30 m of the base and half a metre of the last")
    func told() throws {
        let base = try #require(Position(latitude: 57.0582502, longitude: 9.9504788))
        for var device in Fleet(source: "vacuums", count: 4, motion: .random, seed: 2).devices {
            var last: Position?
            for sequence in 1...2_000 {
                let reading = device.advance(by: .milliseconds(500))
                let messages = NativeFormat(device: device.identity).telemetry(reading, sequence: sequence, at: noon)
                let message = try #require(messages.first)
                let json = try #require(try JSONParser().parse(message.payload).object)
                let (latitude, longitude) = (json["lat"]?.number ?? .nan, json["lon"]?.number ?? .nan)
                let position = try #require(Position(latitude: latitude, longitude: longitude))
                #expect(base.distance(to: position) <= 30)
                if let last { #expect(last.distance(to: position) <= 0.5) }
                last = position
            }
        }
    }

    @Test("The same seed gives the same readings, whatever the number of devices")
    func repeatable() {
        var some = Fleet(source: "a", count: 3, motion: .random, seed: 9).devices
        var more = Fleet(source: "a", count: 5, motion: .random, seed: 9).devices
        var other = Fleet(source: "a", count: 3, motion: .random, seed: 10).devices
        for _ in 0..<50 {
            for number in 0..<3 {
                let reading = some[number].advance(by: .milliseconds(500))
                #expect(reading == more[number].advance(by: .milliseconds(500)))
                #expect(reading != other[number].advance(by: .milliseconds(500)))
            }
        }
    }

    @Test("Native telemetry is written as the contract says")
    func native() throws {
        let reading = Reading(
            motion: MotionState(
                position: Position(latitude: 57.05825024, longitude: -9.95), heading: 123.456, speed: 0.3049,
                accuracy: 0.4),
            charge: 71.6, state: "cleaning")
        let message = try #require(
            NativeFormat(device: identity()).telemetry(reading, sequence: 912, at: noon).first)
        #expect(message.topicName == "fleet/vacuums/vacuum3/telemetry")
        #expect(message.qos == .atLeastOnce && !message.retain)
        #expect(
            String(decoding: message.payload, as: UTF8.self) == """
                {"lat":57.0582502,"lon":-9.95,"floor":30,"charge":72,"heading":123.5,"speed":0.3,"accuracy":0.4,\
                "ts":"2026-11-30T12:00:00.250Z","seq":912,"state":"cleaning","name":"Vacuum \\"3\\"",\
                "type":"robot-vacuum","building":"Stigsborgvej"}
                """)
    }

    @Test("A device that has lost its position says so, and says nothing it does not know")
    func lost() throws {
        let reading = Reading(motion: MotionState(position: nil, heading: nil, speed: 0, accuracy: nil))
        let message = try #require(NativeFormat(device: identity()).telemetry(reading, sequence: 1, at: noon).first)
        #expect(
            String(decoding: message.payload, as: UTF8.self).hasPrefix(#"{"position":null,"floor":30,"speed":0,"ts""#))
    }

    @Test(
        "A heading is below 360 also when rounded",
        arguments: [(359.94, "359.9"), (359.95, "0"), (359.99, "0"), (0.04, "0")])
    func heading(degrees: Double, told: String) throws {
        let reading = Reading(motion: MotionState(position: nil, heading: degrees, speed: 0, accuracy: nil))
        let message = try #require(NativeFormat(device: identity()).telemetry(reading, sequence: 1, at: noon).first)
        #expect(String(decoding: message.payload, as: UTF8.self).contains("\"heading\":\(told),"))
    }

    @Test("Connection messages are retained words")
    func connection() {
        let format = NativeFormat(device: identity())
        func message(_ word: String) -> Message {
            Message(
                topicName: "fleet/vacuums/vacuum3/connection", payload: Array(word.utf8), qos: .atLeastOnce,
                retain: true)
        }
        #expect(format.will(at: noon) == message("offline"))
        #expect(format.greeting(at: noon) == [message("online")])
        #expect(format.farewell(at: noon) == [message("offline")])
    }

    @Test("The back-off doubles from 1 s to 10 s, half of it at random, and starts anew")
    func backoff() {
        var backoff = Backoff(random: SeededRandom(seed: 5))
        for _ in 0..<2 {
            for step in [1, 2, 4, 8, 10, 10, 10] as [Double] {
                let delay = backoff.delay() / .seconds(1)
                #expect((step / 2...step).contains(delay))
            }
            backoff.reset()
        }
        var delays: Set<Duration> = []
        for seed in 0..<50 as Range<UInt64> {
            var backoff = Backoff(random: SeededRandom(seed: seed))
            delays.insert(backoff.delay())
        }
        #expect(delays.count > 45)
    }

    @Test("A pulse leaves nothing out, unless the time lost is too long to make up for")
    func pulse() {
        var pulse = Pulse(interval: .milliseconds(500), first: .seconds(1))
        func beats(at time: Duration) -> Int {
            var count = 0
            while pulse.take(now: time) != nil { count += 1 }
            return count
        }
        #expect(beats(at: .milliseconds(999)) == 0)
        #expect(beats(at: .seconds(1)) == 1)
        #expect(beats(at: .milliseconds(1_499)) == 0)
        #expect(beats(at: .seconds(3)) == 4)
        #expect(beats(at: .seconds(7)) == 8)
        #expect(beats(at: .seconds(3_600)) == 1)
        #expect(beats(at: .seconds(3_601)) == 2)
    }
}
