import CommandLineTool
import JSON
import MQTTModel
import MotionModels
import Testing
import Timestamps

@testable import fleet_sim

@Suite("Faults")
struct FaultInjectionTests {
    private static func injector(_ kinds: FaultKind..., format: String = "native", seed: UInt64 = 5) -> FaultInjector {
        FaultInjector(
            FaultSettings(probabilities: Dictionary(uniqueKeysWithValues: kinds.map { ($0, 1) })),
            fields: .of(format), seed: seed, device: 0)
    }

    private static func messages(_ texts: String...) -> [Message] { texts.map { Message("t", $0, qos: .atLeastOnce) } }

    /// One reading as a format tells it, after its payload was spoiled.
    private func spoilt(_ injector: inout FaultInjector, _ name: String) throws -> Message {
        let row = try DeviceScript.format(name)
        var format = row.make(DeviceScript.device(of: row.source), DeviceScript.plan)
        var messages = format.telemetry(DeviceScript.reading(east: 3, north: 4), sequence: 1, at: DeviceScript.noon)
        injector.tamper(&messages)
        return try #require(messages.first)
    }

    @Test("Messages are doubled, lost, overtaken and held back")
    func network() {
        var twice = Self.injector(.duplicate)
        #expect(twice.pass(Self.messages("a", "b"), at: .zero).map(\.payloadText) == ["a", "a", "b", "b"])
        var never = Self.injector(.drop)
        #expect(never.pass(Self.messages("a", "b"), at: .zero).isEmpty)
        #expect(never.counts == [.drop: 2])
        var swapped = Self.injector(.reorder)
        #expect(swapped.pass(Self.messages("a"), at: .zero).isEmpty)
        #expect(swapped.pass(Self.messages("b"), at: .zero).map(\.payloadText) == ["b", "a"])
        #expect(swapped.pass(Self.messages("c"), at: .zero).isEmpty)
        #expect(swapped.drain().map(\.payloadText) == ["c"])
        var late = Self.injector(.delay)
        #expect(late.pass(Self.messages("a", "b"), at: .seconds(10)).isEmpty)
        #expect(late.due.map { (.seconds(10)...(.seconds(13))).contains($0) } == true)
        #expect(late.release(at: .seconds(10) - .nanoseconds(1)).isEmpty)
        #expect(late.release(at: .seconds(13)).map(\.payloadText).sorted() == ["a", "b"])
        #expect(late.due == nil && late.drain().isEmpty)
    }

    @Test("Clocks go wrong by half a minute for good, or by an hour at times; places stick")
    func device() {
        var skewed = Self.injector(.clockSkew)
        var times: Set<Duration> = []
        for _ in 0..<5 {
            var (reading, time) = (DeviceScript.reading(east: 1, north: 1), DeviceScript.noon)
            skewed.distort(&reading, &time)
            times.insert(time.duration(since: DeviceScript.noon))
        }
        #expect(times.count == 1 && times.allSatisfy { (.seconds(-30)...(.seconds(30))).contains($0) && $0 != .zero })
        var (reading, time) = (DeviceScript.reading(east: 1, north: 1), DeviceScript.noon)
        var ahead = Self.injector(.futureClock)
        ahead.distort(&reading, &time)
        #expect(time.duration(since: DeviceScript.noon) == .seconds(3_600))
        var stuck = Self.injector(.stuckPosition)
        for number in 0...20 {
            var reading = DeviceScript.reading(east: Double(number), north: 1)
            stuck.distort(&reading, &time)
            #expect(reading.motion.position == DeviceScript.place(east: 0, north: 1))
            #expect(reading.motion.speed == 0.5)
        }
        #expect(stuck.counts == [.stuckPosition: 1])
    }

    @Test(
        "Payloads are spoilt where the format has it",
        arguments: ["native", "owntracks", "homeassistant", "traccar", "geojson", "meshtastic", "vda5050", "roomba"])
    func payload(name: String) throws {
        var plain = Self.injector(.drop)
        let whole = try spoilt(&plain, name)
        var nan = Self.injector(.nan, format: name)
        let text = try spoilt(&nan, name).payloadText
        #expect(text.contains("NaN") && !text.contains("\"NaN\""))
        #expect(throws: JSONError.self) { try JSONParser().parse(text) }
        var unit = Self.injector(.wrongUnit, format: name)
        let other = try spoilt(&unit, name)
        #expect(other.payload != whole.payload)
        #expect(throws: Never.self) { try JSONParser().parse(other.payload) }
    }

    @Test("A floor is missing, a coordinate is in 1e-7 degrees, and garbage is never empty")
    func native() throws {
        var floor = Self.injector(.missingFloor)
        let withoutFloor = try spoilt(&floor, "native").json
        #expect(withoutFloor["floor"] == nil && withoutFloor["lat"] != nil)
        var unit = Self.injector(.wrongUnit)
        let spoiltUnit = try spoilt(&unit, "native").json
        let latitude = try #require(spoiltUnit["lat"]?.number)
        #expect((570_500_000...570_600_000).contains(latitude))
        for seed in 0..<100 as Range<UInt64> {
            var garbage = Self.injector(.garbage, seed: seed)
            let payload = try spoilt(&garbage, "native").payload
            #expect(!payload.isEmpty)
            #expect(throws: JSONError.self) { try JSONParser().parse(payload) }
        }
    }

    @Test("They happen as often as asked for, the same with the same seed, whatever others there are")
    func probability() {
        func dropped(_ others: [FaultKind: Double], seed: UInt64) -> [Bool] {
            var injector = FaultInjector(
                FaultSettings(probabilities: others.merging([.drop: 0.1]) { $1 }), fields: nil, seed: seed, device: 3)
            return (0..<5_000).map { _ in
                let count = injector.counts[.drop]
                _ = injector.pass(Self.messages("a"), at: .zero)
                return injector.counts[.drop] != count
            }
        }
        let first = dropped([:], seed: 1)
        #expect((420...580).contains(first.count { $0 }))
        #expect(first == dropped([.duplicate: 0.5, .nan: 0.5, .clockSkew: 1], seed: 1))
        #expect(first != dropped([:], seed: 2))
    }

    @Test("Options name faults, with how often; others are refused with what was meant")
    func options() throws {
        func read(_ text: String) throws -> FaultSettings {
            try RunCommand.command.parse(["--faults", text])[RunCommand.faults]
        }
        #expect(try read("drop,nan:0.25").probabilities == [.drop: 0.05, .nan: 0.25])
        #expect(try read("all").probabilities.count == FaultKind.allCases.count)
        #expect(try read("all:0.1,drop:0").probabilities[.drop] == 0)
        for text in ["drp", "drop:2", "drop:x", "drop:", "", "drop,,nan"] {
            #expect(throws: UsageError.self) { try read(text) }
        }
        let error = #expect(throws: UsageError.self) { try read("duplicat") }
        #expect(error?.message.contains("did you mean duplicate?") == true)
    }

    @Test("A fault that a format cannot have is refused by name, and left out of all")
    func impossible() throws {
        func plan(_ faults: String, _ format: String) throws -> FleetPlan {
            try RunCommand.plan(RunCommand.command.parse(["--faults", faults, "--format", format]))
        }
        #expect(throws: UsageError.self) { try plan("nan", "nmea") }
        #expect(throws: UsageError.self) { try plan("missingFloor", "owntracks") }
        #expect(try plan("all", "valetudo").faults.probabilities[.nan] == nil)
        #expect(try plan("all", "native").faults.probabilities.count == FaultKind.allCases.count)
    }
}
