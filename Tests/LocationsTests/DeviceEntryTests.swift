import Testing
import Timestamps

@testable import Locations

struct DeviceEntryTests {
    private let start = Instant(wall: Timestamp(milliseconds: 1_795_953_600_000), monotonic: .zero)

    @Test("The devices table counts more than the payload, and that more than the source's settings")
    func precedence() {
        var settings = SourceSettings()
        (settings.type, settings.building) = ("robot", "Works")
        settings.devices = [
            "356938035643809": DeviceEntry(name: "Vacuum 3", type: "vacuum", building: "Tower"),
            "named": DeviceEntry(name: "Ada"),
        ]
        let source = TelemetrySource(id: "trackers", settings: settings, at: start)
        for id in ["356938035643809", "named", "other", "silent"] {
            var report = Report(id: Identifier(id))
            report.charge = .value(50)
            if id != "silent" {
                (report.name, report.type, report.building) = (.value("said"), .value("said"), .value("said"))
            }
            _ = source.apply(report, retained: false, at: start)
        }
        func shown(_ id: Identifier) -> [String?] {
            let location = source.location(id)
            return [location?.displayName, location?.type, location?.building]
        }
        #expect(shown("356938035643809") == ["Vacuum 3", "vacuum", "Tower"])
        #expect(shown("named") == ["Ada", "said", "said"])
        #expect(shown("other") == ["said", "said", "said"])
        #expect(shown("silent") == ["silent", "robot", "Works"])
    }

    @Test("What the table says stays when the device says that it is unknown")
    func unknown() {
        var settings = SourceSettings()
        settings.devices["r1"] = DeviceEntry(name: "Vacuum 3", type: "vacuum", building: "Tower")
        let source = TelemetrySource(id: "robots", settings: settings, at: start)
        var report = Report(id: "r1")
        (report.name, report.type, report.building) = (.unknown, .unknown, .unknown)
        _ = source.apply(report, retained: false, at: start)
        #expect(source.location("r1")?.name == "Vacuum 3")
        #expect(source.location("r1")?.type == "vacuum")
        #expect(source.location("r1")?.building == "Tower")
    }
}
