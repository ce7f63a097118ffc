import JSON
import Locations
import Testing
import Timestamps

/// Which of two messages is the newer one.
struct OrderTests {
    private func lat(_ broker: ScriptedBroker) -> Double? { broker.state()?.number("position", "lat") }

    private func time(_ second: Int) -> String {
        Timestamp(milliseconds: 1_795_953_600_000 + Int64(second) * 1_000).iso8601
    }

    @Test("An older message never moves a device back")
    func older() {
        let broker = ScriptedBroker()
        broker.report(#"{"lat":57.2,"lon":9,"ts":"\#(time(0))"}"#)
        broker.report(#"{"lat":57.1,"lon":9,"ts":"\#(time(-1))"}"#)
        #expect(lat(broker) == 57.2)
    }

    @Test("A message from the future does not freeze the device")
    func future() {
        let broker = ScriptedBroker()
        broker.report(#"{"lat":57.1,"lon":9,"ts":"2029-01-01T00:00:00Z"}"#)
        #expect(broker.state()?["time"] == .string(time(0)))
        broker.wait(.seconds(1))
        broker.report(#"{"lat":57.2,"lon":9,"ts":"\#(time(1))"}"#)
        #expect(lat(broker) == 57.2)
        #expect(broker.stats().number("fields", "ts-in-future") == 1)
    }

    @Test(
        "One report ahead within the tolerance holds the right ones back until five have come or their time has caught up",
        arguments: [(1, 4, true), (20, 2, false)])
    func aheadOnce(interval: Int, late: Int, isReset: Bool) {
        let broker = ScriptedBroker()
        broker.report(#"{"lat":57,"lon":9,"ts":"\#(time(50))"}"#)
        for step in 1...late + 1 {
            #expect(lat(broker) == 57 && broker.state()?["status"] == "live")
            broker.wait(.seconds(interval))
            broker.report(#"{"lat":58,"lon":9,"ts":"\#(time(step * interval))"}"#)
        }
        #expect(lat(broker) == 58)
        #expect(broker.log.contains { $0.message == "a device's clock went back" } == isReset)
        #expect(broker.stats().number("late") == Double(late))
    }

    @Test("A clock that was never set is not used", arguments: ["1970-01-01T00:00:05Z", "2003-01-01T00:00:00Z"])
    func unset(ts: String) {
        let broker = ScriptedBroker()
        broker.report(#"{"lat":57.1,"lon":9,"ts":"\#(ts)"}"#)
        broker.wait(.seconds(1))
        broker.report(#"{"lat":57.2,"lon":9,"ts":"\#(ts)"}"#)
        #expect(lat(broker) == 57.2)
        #expect(broker.state()?["status"] == "live")
        #expect(broker.state()?["time"] == .string(time(1)))
    }

    @Test("Equal times are ordered by seq, and other content is applied")
    func equal() {
        let broker = ScriptedBroker()
        broker.report(#"{"lat":57.1,"lon":9,"seq":5,"ts":"\#(time(0))"}"#)
        broker.report(#"{"lat":57.2,"lon":9,"seq":6,"ts":"\#(time(0))"}"#)
        #expect(lat(broker) == 57.2)
        broker.report(#"{"lat":57.3,"lon":9,"seq":4,"ts":"\#(time(0))"}"#)
        #expect(lat(broker) == 57.2)
        broker.report(#"{"charge":50,"ts":"\#(time(0))"}"#)
        #expect(broker.state()?.number("charge") == 50)
        let stats = broker.stats()
        #expect(stats.number("applied") == 3)
        #expect(stats.number("late") == 1)
    }

    @Test("The same message again is a duplicate, and a sign of life")
    func duplicate() {
        let broker = ScriptedBroker()
        let payload = #"{"lat":57.1,"lon":9,"ts":"\#(time(0))"}"#
        broker.report(payload)
        broker.wait(.seconds(29))
        broker.report(payload)
        broker.wait(.seconds(29))
        #expect(broker.state()?["status"] == "live")
        #expect(broker.states().count == 1)
        #expect(broker.stats().number("duplicate") == 1)
    }

    @Test("Five late reports whose own times increase set the device's clock back, with one warning")
    func clockReset() {
        let broker = ScriptedBroker()
        broker.report(#"{"lat":57,"lon":9,"ts":"\#(time(30))"}"#)
        for second in -104...(-101) { broker.report(#"{"lat":58,"lon":9,"ts":"\#(time(second))"}"#) }
        #expect(lat(broker) == 57)
        broker.report(#"{"lat":58,"lon":9,"ts":"\#(time(-100))"}"#)
        #expect(lat(broker) == 58)
        broker.report(#"{"lat":59,"lon":9,"ts":"\#(time(-99))"}"#)
        #expect(lat(broker) == 59)
        #expect(broker.log.filter { $0.message.contains("clock") }.count == 1)
    }

    @Test("A device whose clock goes back again and again does not fill the log")
    func clockResets() {
        let broker = ScriptedBroker()
        for _ in 0..<20 {
            broker.report(#"{"lat":57,"lon":9,"ts":"\#(time(30))"}"#)
            for second in -104...(-100) { broker.report(#"{"lat":58,"lon":9,"ts":"\#(time(second))"}"#) }
        }
        #expect(broker.log.filter { $0.message.contains("clock") }.count == 1)
    }

    @Test("Late reports that jump about are five mistakes, not a new clock")
    func noClockReset() {
        let broker = ScriptedBroker()
        broker.report(#"{"lat":57,"lon":9,"ts":"\#(time(30))"}"#)
        for second in [-10, -20, -30, -40, -50, -60] { broker.report(#"{"lat":58,"lon":9,"ts":"\#(time(second))"}"#) }
        #expect(lat(broker) == 57)
    }

    @Test("Wills and connection messages go by arrival, whatever the devices' clocks say")
    func will() {
        let broker = ScriptedBroker()
        broker.report(#"{"lat":57,"lon":9,"ts":"\#(time(0))"}"#)
        broker.send("fleet/robots/r1/connection", #"{"state":"offline","ts":"2026-11-29T01:00:00Z"}"#)
        broker.wait(.seconds(2))
        #expect(broker.state()?["status"] == "offline")
    }

    @Test("A stored copy without a time counts only for a device that was not heard")
    func storedWithoutTime() {
        let broker = ScriptedBroker()
        broker.report(#"{"lat":57,"lon":9}"#)
        broker.report(#"{"lat":50,"lon":9}"#, retain: true)
        #expect(lat(broker) == 57)
        #expect(broker.stats().number("duplicate") == 1)
    }

    @Test("Sources with bad clocks go by arrival")
    func arrival() {
        let broker = ScriptedBroker([.robots { $0.clock = .arrival }])
        broker.report(#"{"lat":57.1,"lon":9,"ts":"\#(time(0))"}"#)
        broker.report(#"{"lat":57.2,"lon":9,"ts":"\#(time(-9))"}"#)
        #expect(lat(broker) == 57.2)
    }

    @Test("In the hour that comes twice the reading is chosen that does not go back")
    func repeatedHour() {
        // Europe/Copenhagen, 25 October 2026: 02:00-03:00 comes twice.
        let broker = ScriptedBroker([.robots { $0.timeZone = "Europe/Copenhagen" }])
        broker.report(#"{"lat":57.1,"lon":9,"ts":"2026-10-25T02:50:00"}"#)
        #expect(broker.state()?["time"] == "2026-10-25T00:50:00.000Z")
        broker.report(#"{"lat":57.2,"lon":9,"ts":"2026-10-25T02:10:00"}"#)
        #expect(broker.state()?["time"] == "2026-10-25T01:10:00.000Z")
        broker.report(#"{"lat":57.3,"lon":9,"ts":"2026-10-25T03:10:00"}"#)
        #expect(broker.state()?["time"] == "2026-10-25T02:10:00.000Z")
        broker.report(#"{"lat":57.4,"lon":9,"ts":"2026-03-29T02:30:00"}"#)
        #expect(lat(broker) == 57.3)
    }
}
