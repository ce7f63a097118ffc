import JSON
import MQTTModel
import Testing

@testable import FleetEngine

@Suite("Whether the bridge is ready")
struct ReadinessTests {
    @Test("A message goes round at once and then again and again, and says how long ago the last one came")
    func roundTrips() {
        let broker = ScriptedBroker(roundTrips: .seconds(5))
        #expect(
            broker.engine.readiness
                == Readiness(
                    isConnected: true, isReading: true, deniedFilters: [], roundTripAge: .zero, roundTrip: .zero))
        broker.wait(.seconds(4))
        #expect(broker.engine.readiness.roundTripAge == .seconds(4))
        broker.wait(.seconds(3))
        #expect(broker.engine.readiness.roundTripAge == .seconds(2))
        // Nobody's message, and counted nowhere.
        #expect(broker.stats().number("received") == 0)
        #expect(!broker.log.contains { $0.message.contains("no source asked for") })
    }

    @Test("Where none comes back the last one grows old; others that look like it do not count")
    func silence() {
        let broker = ScriptedBroker(roundTrips: .seconds(5))
        broker.returnsProbes = false
        broker.wait(.seconds(30))
        broker.send("fleet-bridge/probe/fleet-bridge", "round-trip 1")
        #expect(broker.engine.readiness.roundTripAge == .seconds(30))
        #expect(broker.engine.readiness.isConnected)
        broker.returnsProbes = true
        broker.wait(.seconds(5))
        #expect(broker.engine.readiness.roundTripAge == .zero)
    }

    @Test("Without a connection nothing goes round, and what went round before does not count")
    func disconnected() {
        let broker = ScriptedBroker(roundTrips: .seconds(5))
        broker.isUp = false
        broker.loseConnection()
        broker.wait(.seconds(60))
        #expect(
            broker.engine.readiness
                == Readiness(isConnected: false, isReading: false, deniedFilters: [], roundTripAge: nil, roundTrip: nil)
        )
        broker.isUp = true
        broker.wait(.seconds(20))
        #expect(broker.engine.readiness.isConnected)
        #expect(broker.engine.readiness.roundTripAge != nil)
    }

    @Test("Messages that never come back do not use up the places of what is published")
    func window() {
        let broker = ScriptedBroker(roundTrips: .seconds(1))
        broker.returnsProbes = false
        broker.wait(.seconds(60))
        broker.report(#"{"lat":1,"lon":1}"#)
        #expect(broker.state() != nil)
    }

    @Test("A filter that the broker refuses is named")
    func denied() {
        let broker = ScriptedBroker(connect: false, roundTrips: .seconds(5))
        broker.deniedFilters = ["fleet/robots/status"]
        broker.isUp = true
        broker.wait(.seconds(10))
        #expect(broker.engine.readiness.deniedFilters == ["fleet/robots/status"])
    }

    @Test("Nobody asked, so nothing goes round")
    func off() {
        let broker = ScriptedBroker()
        broker.wait(.seconds(60))
        #expect(broker.engine.readiness.roundTripAge == nil)
        #expect(broker.engine.readiness.isConnected)
    }
}
