import Locations
import Testing

@testable import FleetEngine

/// What holds what.
struct LifetimeTests {
    @Test("Nothing keeps an engine alive that nobody holds, nor its parts")
    func engine() {
        var broker: ScriptedBroker? = ScriptedBroker()
        broker?.report(#"{"lat":57,"lon":9}"#)
        weak let engine = broker?.engine
        weak let output = broker?.engine.output
        weak let source = broker?.engine.sources.all.first?.source
        #expect(engine != nil && output != nil && source != nil)
        broker = nil
        #expect(engine == nil && output == nil && source == nil)
    }

    @Test("A source that wants to be looked at sooner again and again leaves nothing behind")
    func deadlines() {
        let broker = ScriptedBroker([.robots { $0.staleAfter = nil }])
        broker.report("r2", #"{"lat":57,"lon":9}"#)
        for _ in 0..<1_000 {
            broker.report(#"{"lat":57,"lon":9}"#)
            broker.send("fleet/robots/r1/connection", "offline")
            broker.wait(.seconds(3))
        }
        #expect(broker.engine.sources.waiting < 100)
    }
}
