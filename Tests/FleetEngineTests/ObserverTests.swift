import FleetEngine
import Locations
import Testing
import Timestamps

@Suite("Observers of the engine")
struct ObserverTests {
    private final class Notes: LocationObserver {
        var notes: [String] = []

        func locationsUpdated(_ updates: [LocationUpdate], from source: any LocationSource, at now: Instant) {
            notes += updates.map {
                "\(source.id)/\($0.location.id) \($0.location.status)\($0.cause == .known ? " known" : "")"
            }
        }
        func locationsDeleted(_ ids: [Identifier], from source: any LocationSource, at now: Instant) {
            notes += ids.map { "\(source.id)/\($0) gone" }
        }
        func statusChanged(of source: any LocationSource, at now: Instant) {
            notes.append("\(source.id) \(source.status.kind)")
        }
        func fixCameLate(_ fix: LateFix, from source: any LocationSource, at now: Instant) {
            notes.append("\(source.id)/\(fix.location) was at \(fix.position.latitude), \(fix.time.iso8601)")
        }
    }

    @Test("They are told of updates, late fixes, statuses and deletions, also of sources that come later")
    func told() {
        let broker = ScriptedBroker()
        let notes = Notes()
        broker.engine.add(notes)
        broker.report(#"{"lat":57,"lon":9,"ts":"2026-11-29T12:00:00Z"}"#)
        broker.report(#"{"lat":56,"lon":9,"ts":"2026-11-29T11:59:58.5Z"}"#)
        broker.report(#"{"charge":1,"ts":"2026-11-29T11:59:59Z"}"#)
        broker.report("")
        #expect(
            notes.notes == [
                "robots/r1 live", "robots available", "robots/r1 was at 56.0, 2026-11-29T11:59:58.500Z",
                "robots/r1 gone", "robots unavailable",
            ])
        notes.notes.removeAll()
        broker.reload([.robots(), .robots(id: "tags")])
        broker.send("fleet/tags/t1/telemetry", #"{"lat":57,"lon":9}"#)
        #expect(notes.notes.contains("tags/t1 live"))
    }

    @Test("They are told of what an earlier process published, also of a template's sources, before anything new")
    func restart() {
        let broker = ScriptedBroker([.robots(id: "any", topics: ["fleet/{source}/{device}/telemetry"])])
        broker.report("r2", #"{"lat":57,"lon":9}"#)
        broker.report("r1", #"{"lat":57,"lon":9}"#)
        broker.report("r3", #"{"lat":57,"lon":9}"#)
        broker.report("r3", "")
        let notes = Notes()
        broker.onStart = { $0.add(notes) }
        broker.restart(after: .seconds(1))
        broker.wait(.seconds(1))
        broker.report(#"{"lat":57.1,"lon":9}"#)
        #expect(
            notes.notes.filter { $0.contains("/") } == [
                "robots/r1 live known", "robots/r2 live known", "robots/r1 live",
            ])
        notes.notes.removeAll()
        broker.loseConnection()
        broker.wait(.seconds(5))
        #expect(!notes.notes.contains { $0.contains("known") }, "once in a process")
    }

    @Test("Who is added later is told of what there is")
    func later() {
        let broker = ScriptedBroker()
        broker.report(#"{"lat":57,"lon":9}"#)
        let notes = Notes()
        broker.engine.add(notes)
        #expect(notes.notes == ["robots/r1 live known"])
        broker.report(#"{"lat":57.1,"lon":9}"#)
        #expect(notes.notes == ["robots/r1 live known", "robots/r1 live"])
    }
}
