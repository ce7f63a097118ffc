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
}
