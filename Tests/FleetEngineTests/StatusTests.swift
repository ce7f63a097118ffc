import FleetEngine
import JSON
import Locations
import Testing
import Timestamps

/// What the log says of who is alive, and which of it is noticed.
struct StatusTests {
    private func warnings(_ broker: ScriptedBroker) -> [[String]] {
        broker.log.filter { $0.message.hasPrefix("staleAfter is less") }.map { $0.fields.map(\.value) }
    }

    private func report(_ broker: ScriptedBroker, every interval: Duration, times: Int, _ device: String = "r1") {
        for _ in 0..<times {
            broker.report(device, #"{"lat":57,"lon":9}"#)
            broker.wait(interval)
        }
    }

    @Test(
        "A device whose interval is more than half of staleAfter is told of once a source",
        arguments: [(15.0, false), (15.001, true), (29, true), (45, true)])
    func shortStaleAfter(seconds: Double, isTold: Bool) {
        let broker = ScriptedBroker()
        report(broker, every: .seconds(seconds), times: 12)
        report(broker, every: .seconds(seconds), times: 12, "r2")
        #expect(
            warnings(broker) == (isTold ? [["robots", "r1", "\((seconds * 10).rounded() / 10)s", "30s"]] : []))
    }

    @Test("A few long intervals prove nothing, nor do those of a device that said that it was away")
    func longIntervals() {
        let broker = ScriptedBroker()
        for _ in 0..<4 {
            report(broker, every: .seconds(20), times: 4)
            report(broker, every: .seconds(2), times: 2)
        }
        for _ in 0..<10 {
            broker.report(#"{"lat":57,"lon":9}"#)
            broker.send("fleet/robots/r1/connection", "offline")
            broker.wait(.seconds(60))
        }
        #expect(warnings(broker).isEmpty)
    }

    @Test("Where silence means nothing there is nothing to warn of")
    func eventType() {
        let broker = ScriptedBroker([.robots { $0.staleAfter = nil }])
        report(broker, every: .seconds(3_600), times: 10)
        #expect(warnings(broker).isEmpty)
        #expect(broker.state()?["status"] == "live")
    }

    @Test(
        "A step of the machine's clock is told and makes nothing stale; a clock that is kept right is no news",
        arguments: [(7_200.0, "+7200.0s"), (-10_800, "-10800.0s"), (1.5, nil), (-1.5, nil)] as [(Double, String?)])
    func clock(step: Double, told: String?) {
        let broker = ScriptedBroker()
        broker.report(#"{"lat":57,"lon":9}"#)
        broker.wait(.seconds(2))
        broker.stepWallClock(by: .seconds(step))
        broker.wait(.seconds(5))
        #expect(
            broker.log.filter { $0.message == "the machine's clock was set" }.map { $0.fields.first?.value }
                == (told.map { [$0] } ?? []))
        #expect(broker.state()?["status"] == "live")
        broker.wait(.milliseconds(22_999))
        #expect(broker.state()?["status"] == "live")
        broker.wait(.milliseconds(1))
        #expect(broker.state()?["status"] == "stale")
    }

    @Test("A device that repeats its last position without a fix is lost, with the position's own time")
    func repeatedPosition() {
        let broker = ScriptedBroker([.robots { $0.validity = Validity("/fix", good: [true]) }])
        broker.report(#"{"lat":57,"lon":9,"fix":true,"charge":50,"ts":"2026-11-29T12:00:00Z"}"#)
        for second in 1...3 {
            broker.wait(.seconds(1))
            broker.report(
                #"{"lat":57,"lon":9,"fix":false,"charge":\#(50 - second),"ts":"2026-11-29T12:00:0\#(second)Z"}"#)
        }
        let state = broker.state()
        #expect(state?["status"] == "lost" && state?["statusReason"] == "no-fix")
        #expect(state?["position"] == JSONValue.null && state?.number("charge") == 47)
        #expect(state?["lastPosition"]?.object?["time"] == "2026-11-29T12:00:00.000Z")
        #expect(state?["statusSince"] == "2026-11-29T12:00:01.000Z")
    }
}
