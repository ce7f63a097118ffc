import FleetEngine
import JSON
import Testing

@Suite("A stuck position")
struct StuckPositionTests {
    private let broker = ScriptedBroker([.robots { $0.stuckAfter = .seconds(60) }])

    private func report(lat: Double = 57, speed: Double? = 0.4, every interval: Int = 10, times: Int) {
        for _ in 0..<times {
            broker.wait(.seconds(interval))
            let speed = speed.map { #","speed":\#($0)"# } ?? ""
            broker.report(#"{"lat":\#(lat),"lon":9\#(speed)}"#)
        }
    }

    @Test("Who says that it moves but stays to the last digit for stuckAfter is lost, and no moment earlier")
    func stuck() {
        report(times: 7)  // the second is the first that says the same again
        #expect(broker.state()?["status"] == "live")
        broker.wait(.milliseconds(9_999))
        #expect(broker.state()?["status"] == "live")
        broker.wait(.milliseconds(1))
        #expect(broker.state()?["status"] == "lost")
        #expect(broker.state()?["statusReason"] == "position-stuck")
        #expect(broker.state()?["position"] == .null)
        #expect(broker.state()?["lastPosition"]?.object?.number("lat") == 57)
        report(times: 3)
        #expect(broker.state()?["status"] == "lost", "it says the same again")
    }

    @Test("It is published with the heartbeat alone, with the time since when it has been there")
    func pace() {
        report(times: 12)
        #expect(broker.state()?["lastPosition"]?.object?["time"] == "2026-11-29T12:00:10.000Z")
        broker.forget()
        report(every: 1, times: 20)
        #expect(broker.states().count == 2)
        #expect(broker.state()?["lastPosition"]?.object?["time"] == "2026-11-29T12:00:10.000Z")
    }

    @Test("Another position is a recovery", arguments: [57.000_001])
    func recovery(lat: Double) {
        report(times: 12)
        #expect(broker.state()?["status"] == "lost")
        report(lat: lat, times: 1)
        #expect(broker.state()?["status"] == "live")
        #expect(broker.state()?.number("position", "lat") == lat)
        report(lat: lat, times: 5)
        #expect(broker.state()?["status"] == "live", "the time begins anew")
    }

    @Test("Who stands, or does not say how fast it is, is not stuck", arguments: [0, 0.09, nil] as [Double?])
    func standing(speed: Double?) {
        report(speed: speed, times: 30)
        #expect(broker.state()?["status"] == "live")
    }

    @Test("It stays so over a restart, until the device is elsewhere")
    func restart() {
        report(times: 12)
        broker.restart(after: .seconds(5))
        broker.wait(.seconds(10))
        #expect(broker.state()?["statusReason"] == "position-stuck")
        report(times: 1)
        #expect(broker.state()?["statusReason"] == "position-stuck")
        report(lat: 57.1, times: 1)
        #expect(broker.state()?["status"] == "live")
    }
}
