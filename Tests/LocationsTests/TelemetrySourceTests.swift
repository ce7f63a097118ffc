import Geometry
import JSON
import Testing
import Timestamps

@testable import Locations

struct TelemetrySourceTests {
    private let start = Instant(wall: Timestamp(milliseconds: 1_795_953_600_000), monotonic: .zero)

    private func report(_ id: Identifier = "r1", _ adjust: (inout Report) -> Void = { _ in }) -> Report {
        var report = Report(id: id)
        report.position = Position(latitude: 57, longitude: 9).map { .value(.geographic($0)) } ?? .unknown
        adjust(&report)
        return report
    }

    private func connection(_ connection: Report.Connection, _ id: Identifier = "r1") -> Report {
        var report = Report(id: id)
        report.connection = connection
        return report
    }

    @Test("A device that said offline stays so when its whole source comes back")
    func twoClaims() {
        let source = TelemetrySource(id: "robots", settings: SourceSettings(), at: start)
        _ = source.apply(report(), retained: false, at: start)
        source.apply(.offline, retained: false, at: start)
        _ = source.apply(connection(.offline), retained: false, at: start.advanced(by: .seconds(1)))
        source.apply(.online, retained: false, at: start.advanced(by: .seconds(5)))
        #expect(source.location("r1")?.status == .offline)
        #expect(source.location("r1")?.statusReason == "connection-offline")
        _ = source.apply(connection(.online), retained: false, at: start.advanced(by: .seconds(6)))
        #expect(source.location("r1")?.status == .live)
    }

    @Test("Devices that are made and withdrawn without end leave nothing behind")
    func churn() {
        var settings = SourceSettings()
        settings.staleAfter = nil
        let source = TelemetrySource(id: "robots", settings: settings, at: start)
        for index in 0..<5_000 {
            _ = source.apply(report(Identifier("d\(index)")), retained: false, at: start)
            source.withdraw(Identifier("d\(index)"), at: start)
        }
        #expect(source.waiting < 2_000)
        #expect(source.locations.isEmpty)
    }

    @Test("A fix with a time of its own never moves the device back, the rest of its report counts")
    func oldFix() {
        let source = TelemetrySource(id: "robots", settings: SourceSettings(), at: start)
        _ = source.apply(report { $0.fixTime = start.wall }, retained: false, at: start)
        let old = report {
            $0.position = Position(latitude: 50, longitude: 9).map { .value(.geographic($0)) } ?? .unknown
            $0.fixTime = start.wall.advanced(by: .seconds(-60))
            $0.charge = .value(40)
        }
        #expect(source.apply(old, retained: false, at: start.advanced(by: .seconds(1))) == .applied)
        #expect(source.location("r1")?.position?.latitude == 57)
        #expect(source.location("r1")?.charge == 40)
    }

    @Test("Properties have room for 64 KiB; what has none is dropped and counted")
    func properties() {
        let source = TelemetrySource(id: "robots", settings: SourceSettings(), at: start)
        for index in 0..<20 {
            let big = report {
                $0.properties = JSONObject([("p\(index)", .string(String(repeating: "x", count: 10_000)))])
                $0.state = .value("idle")
            }
            #expect(source.apply(big, retained: false, at: start.advanced(by: .seconds(index))) == .applied)
        }
        let properties = source.location("r1")?.properties ?? JSONObject()
        #expect(properties["p0"] != nil && properties["p19"] == nil)
        #expect(properties["state"] == "idle")
        #expect(JSONValue.object(properties).text.utf8.count < 70_000)
        #expect(source.takeFaults()["properties-too-large"] == 14)
    }

    @Test("A numbered sea of small properties ends at 256")
    func manyProperties() {
        let source = TelemetrySource(id: "robots", settings: SourceSettings(), at: start)
        let many = report { $0.properties = JSONObject((0..<10_000).map { ("k\($0)", .number(1)) }) }
        _ = source.apply(many, retained: false, at: start)
        #expect(source.location("r1")?.properties.count == 256)
        #expect(source.takeFaults() == ["properties-too-large": 1])
    }

    @Test("A property of more than 24 levels is dropped and counted, and so is its old value")
    func deepProperties() {
        func nested(_ levels: Int) -> JSONValue {
            (0..<levels).reduce(.number(1)) { value, level in level % 2 == 0 ? .array([value]) : ["a": value] }
        }
        let source = TelemetrySource(id: "robots", settings: SourceSettings(), at: start)
        _ = source.apply(report { $0.properties = ["a": nested(24), "b": 1] }, retained: false, at: start)
        #expect(source.location("r1")?.properties == ["a": nested(24), "b": 1])
        #expect(source.takeFaults() == [:])
        _ = source.apply(
            report { $0.properties = ["a": nested(25), "c": nested(25), "b": 2] }, retained: false, at: start)
        #expect(source.location("r1")?.properties == ["b": 2])
        #expect(source.takeFaults() == ["properties-too-deep": 1])
    }
}
