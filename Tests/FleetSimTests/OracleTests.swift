import JSON
import MQTTModel
import Testing
import Timestamps

@testable import fleet_sim

@Suite("The oracle")
struct OracleTests {
    private static let device = DeviceScript.device("vacuum3")

    /// Hears payloads a second apart, and tells what it knows then.
    private func hear(_ texts: String...) throws -> JSONObject {
        var oracle = NativeOracle()
        for (second, text) in texts.enumerated() {
            let isWord = text == "online" || text == "offline"
            oracle.hear(
                Message("fleet/vacuums/vacuum3/\(isWord ? "connection" : "telemetry")", text, qos: .atLeastOnce),
                at: DeviceScript.noon.advanced(by: .seconds(second)))
        }
        return try #require(oracle.json(Self.device).object)
    }

    private func report(_ seconds: Int, _ rest: String = #""lat":57,"lon":9"#) -> String {
        #"{\#(rest),"ts":"\#(DeviceScript.noon.advanced(by: .seconds(seconds)).iso8601)","seq":\#(seconds)}"#
    }

    @Test("The newest report by the device's clock counts, not the last to come")
    func order() throws {
        let known = try hear(report(1), report(5, #""lat":58,"lon":9"#), report(3), report(5, #""lat":58,"lon":9"#))
        #expect(known["position"] == ["lat": 58, "lon": 9])
        #expect(known["messages"] == ["applied": 2, "duplicate": 1, "late": 1, "rejected": 0])
        #expect(known["time"] == .string(DeviceScript.noon.advanced(by: .seconds(5)).iso8601))
    }

    @Test("Absent keeps, null and nonsense are unknown, a fault in the position rejects the whole")
    func fields() throws {
        let first = report(1, #""lat":57,"lon":9,"floor":10,"charge":50,"state":"cleaning""#)
        let kept = try hear(first, report(2, #""lat":57.5,"lon":9"#))
        #expect(kept["floor"] == 10 && kept["charge"] == 50 && kept["properties"] == ["state": "cleaning"])
        let unknown = try hear(first, report(2, #""lat":57.5,"lon":9,"floor":null,"charge":720"#))
        #expect(unknown["floor"] == nil && unknown["charge"]?.isNull == true)
        for broken in [#""lat":570000000,"lon":9"#, #""lat":NaN,"lon":9"#, #""lat":57"#, #""lat":"x","lon":9"#] {
            let known = try hear(first, report(2, broken + #","charge":10"#))
            #expect(known["position"] == ["lat": 57, "lon": 9] && known["charge"] == 50, "\(broken)")
            #expect(known.member("messages.rejected") == 1)
        }
        #expect(try hear(first, "\u{7f}").member("messages.rejected") == 1)
    }

    @Test("No fix is lost, also at 0,0; the will is offline until the device lives again")
    func status() throws {
        #expect(try hear(report(1))["status"] == "live")
        let lost = try hear(report(1), report(2, #""position":null"#))
        #expect(lost["status"] == "lost" && lost["position"]?.isNull == true)
        #expect(try hear(report(1), report(2, #""lat":0,"lon":0"#))["status"] == "lost")
        #expect(try hear(report(1), "offline")["status"] == "offline")
        #expect(try hear(report(1), "offline", "online")["status"] == "live")
        #expect(try hear(report(1), "offline", report(2))["status"] == "live")
    }

    @Test("A time from the future is not used, and the fifth late report in a row is believed")
    func clock() throws {
        let future = try hear(report(1), report(7_200, #""lat":58,"lon":9"#), report(2, #""lat":59,"lon":9"#))
        #expect(future["position"] == ["lat": 59, "lon": 9])
        let back = try hear(
            report(50), report(1), report(2), report(3), report(4), report(5, #""lat":58,"lon":9"#))
        #expect(back["position"] == ["lat": 58, "lon": 9] && back.member("messages.late") == 4)
    }

    @Test("What was under way at a loss is in doubt until the next report arrives")
    func doubt() throws {
        var oracle = NativeOracle()
        oracle.doubt()
        #expect(oracle.json(Self.device).object?["uncertain"] == true)
        oracle.hear(Message("fleet/vacuums/vacuum3/telemetry", report(1), qos: .atLeastOnce), at: DeviceScript.noon)
        #expect(oracle.json(Self.device).object?["uncertain"] == false)
    }
}

extension JSONObject {
    fileprivate func member(_ path: String) -> JSONValue? {
        path.split(separator: ".").reduce(JSONValue.object(self)) { $0?.object?[String($1)] }
    }
}

@Suite("Times in a heap")
struct TimeHeapTests {
    @Test("The earliest comes first, and the latest time of a number counts")
    func order() {
        var heap = TimeHeap(count: 100)
        for number in 0..<100 { heap.set(number, .seconds((number * 37) % 100)) }
        heap.set(0, nil)
        heap.set(27, .seconds(1_000))
        #expect(heap.earliest == .seconds(1))
        var taken: [Int] = []
        while let number = heap.take(at: .seconds(99)) { taken.append(number) }
        #expect(taken.count == 98)
        #expect(taken.map { ($0 * 37) % 100 } == taken.map { ($0 * 37) % 100 }.sorted())
        #expect(heap.take(at: .seconds(999)) == nil)
        #expect(heap.take(at: .seconds(1_000)) == 27)
        #expect(heap.earliest == nil)
    }
}
