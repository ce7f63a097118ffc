import Geometry
import JSON
import MQTTModel
import MotionModels
import Randomness
import Testing
import Timestamps

@testable import fleet_sim

@Suite("Commands to devices")
struct ControlTests {
    private func read(_ text: String) throws -> DeviceCommand { try DeviceCommand(Array(text.utf8)) }

    @Test("Every command is read, with what belongs to it")
    func read() throws {
        #expect(try read(#"{"command":"start"}"#) == DeviceCommand(.start))
        #expect(try read(#"{"command":"stop","for":"10s"}"#) == DeviceCommand(.stop, for: .seconds(10)))
        #expect(try read(#"{"command":"stationary"}"#) == DeviceCommand(.stationary))
        #expect(
            try read(#"{"command":"positionLost","for":"500ms"}"#)
                == DeviceCommand(.positionLost, for: .milliseconds(500)))
        #expect(try read(#"{"command":"dock"}"#) == DeviceCommand(.dock))
        #expect(try read(#"{"command":"resume"}"#) == DeviceCommand(.resume))
        #expect(try read(#"{"command":"speed","factor":2.5}"#) == DeviceCommand(.speed(2.5)))
        #expect(try read(#"{"command":"interval","interval":"2s"}"#) == DeviceCommand(.interval(.seconds(2))))
        #expect(try read(#"{"command":"disconnect"}"#) == DeviceCommand(.disconnect(graceful: true)))
        #expect(
            try read(#"{"command":"disconnect","graceful":false,"for":"3s"}"#)
                == DeviceCommand(.disconnect(graceful: false), for: .seconds(3)))
    }

    @Test(
        "What is no command says what is wrong with it",
        arguments: [
            ("", "no JSON"), ("stop", "no JSON"), ("[]", "expected an object"), ("{}", "\"command\" is missing"),
            (#"{"command":"stpo"}"#, "did you mean \"stop\"?"), (#"{"command":7}"#, "is none of start"),
            (#"{"command":"stop","for":10}"#, "\"for\": 10 is not a duration"),
            (#"{"command":"stop","for":"10"}"#, "is not a duration"),
            (#"{"command":"stop","for":"0s"}"#, "is less than 1ms"),
            (#"{"command":"start","for":"10s"}"#, "\"for\": means nothing to start"),
            (#"{"command":"stop","froh":"10s"}"#, "\"froh\": means nothing to stop"),
            (#"{"command":"speed"}"#, "\"factor\" is missing"),
            (#"{"command":"speed","factor":0}"#, "not a number from"),
            (#"{"command":"interval"}"#, "\"interval\" is missing"),
            (#"{"command":"interval","interval":"1ms"}"#, "is less than 10ms"),
            (#"{"command":"disconnect","graceful":"no"}"#, "neither true nor false"),
        ])
    func refused(text: String, message: String) {
        let fault = #expect(throws: DeviceCommand.Fault.self) { try read(text) }
        #expect(fault?.description.contains(message) == true, "\(fault?.description ?? "")")
    }

    @Test("A huge command is not even parsed")
    func huge() {
        #expect(throws: DeviceCommand.Fault.self) { try DeviceCommand([UInt8](repeating: 0x20, count: 5_000)) }
    }

    @Test("Topics name a source, or one device of it")
    func topics() {
        #expect(CommandTopic("fleet/people/person3/command").map { [$0.source, $0.device] } == ["people", "person3"])
        #expect(CommandTopic("fleet/people/command").map { [$0.source, $0.device] } == ["people", nil])
        for topic in ["fleet/command", "fleet/a/b/c/command", "fleet/a/b/telemetry", "other/a/b/command", ""] {
            #expect(CommandTopic(topic) == nil, "\(topic)")
        }
    }

    @Test("What has a duration ends by itself, what has none stays until it is undone")
    func durations() {
        var control = DeviceControl(interval: .milliseconds(500))
        control.apply(DeviceCommand(.positionLost, for: .seconds(10)), at: .seconds(1))
        control.apply(DeviceCommand(.stop), at: .seconds(1))
        control.apply(DeviceCommand(.speed(3), for: .seconds(5)), at: .seconds(1))
        control.apply(DeviceCommand(.interval(.seconds(2)), for: .seconds(7)), at: .seconds(1))
        #expect(control.deadline == .seconds(6))
        control.expire(at: .milliseconds(5_999))
        #expect(control.speed == 3 && control.interval == .seconds(2))
        control.expire(at: .seconds(6))
        #expect(control.speed == 1 && control.interval == .seconds(2) && control.deadline == .seconds(8))
        control.expire(at: .seconds(8))
        #expect(control.interval == .milliseconds(500) && control.isIn(.positionLost))
        control.expire(at: .seconds(11))
        #expect(!control.isIn(.positionLost) && control.isIn(.stopped) && control.deadline == nil)
        control.apply(DeviceCommand(.resume), at: .seconds(12))
        #expect(control.isIn(.stopped))
        control.apply(DeviceCommand(.start), at: .seconds(12))
        #expect(!control.isIn(.stopped))
    }

    @Test("A later command of a kind takes the place of an earlier one")
    func later() {
        var control = DeviceControl(interval: .seconds(1))
        control.apply(DeviceCommand(.stationary, for: .seconds(10)), at: .zero)
        control.apply(DeviceCommand(.stationary), at: .seconds(1))
        control.expire(at: .seconds(100))
        #expect(control.isIn(.stationary))
        control.apply(DeviceCommand(.disconnect(graceful: false)), at: .seconds(100))
        #expect(control.isIn(.away) && !control.leavesGracefully)
        control.apply(DeviceCommand(.resume), at: .seconds(101))
        #expect(
            control
                == {
                    var plain = DeviceControl(interval: .seconds(1))
                    plain.apply(DeviceCommand(.disconnect(graceful: false)), at: .zero)
                    plain.apply(DeviceCommand(.resume), at: .zero)
                    return plain
                }())
    }

    @Test("A schedule gives what is due in order, once or again and again, and skips what was slept through")
    func schedule() {
        func entry(_ seconds: Int, _ action: DeviceCommand.Action, every period: Int? = nil) -> CommandSchedule.Entry {
            CommandSchedule.Entry(
                time: .seconds(seconds), period: period.map { .seconds($0) }, devices: nil,
                command: DeviceCommand(action))
        }
        var schedule = CommandSchedule([entry(20, .stop), entry(10, .dock, every: 30), entry(5, .start)])
        #expect(schedule.due == .seconds(5))
        #expect(schedule.take(at: .seconds(4)).isEmpty)
        #expect(schedule.take(at: .seconds(20)).map(\.command.action) == [.start, .dock, .stop])
        #expect(schedule.due == .seconds(40))
        #expect(schedule.take(at: .seconds(40)).map(\.command.action) == [.dock])
        #expect(schedule.take(at: .seconds(400)).map(\.command.action) == [.dock])
        #expect(schedule.due == .seconds(430))
    }
}

@Suite("Devices that are told something")
struct AgentControlTests {
    private static let wall = DeviceScript.noon

    private final class Time {
        var now = Duration.zero
    }

    private func agent(
        _ motion: any FleetMotion = .random, format: SimulatedFormat = .native, faults: FaultSettings = FaultSettings()
    ) -> DeviceAgent {
        let fleet = Fleet(source: "vacuums", count: 1, motion: motion, seed: 3, kind: motion.kind ?? .vacuum)
        let device = fleet.devices[0]
        let agent = DeviceAgent(
            device, format: format.make(device.identity, DeviceScript.plan), interval: .seconds(1), phase: .zero,
            faults: FaultInjector(faults, fields: .of(format.name), seed: 3, device: 0))
        _ = agent.greeting(now: .zero, wall: Self.wall)
        return agent
    }

    /// Does all that is due.
    private func work(_ agent: DeviceAgent, at now: Duration, isShared: Bool = false) -> [Outgoing] {
        var result: [Outgoing] = []
        repeat {
            result += agent.work(
                now: now, wall: Self.wall.advanced(by: now), isOnline: true, hasRoom: true, isShared: isShared)
        } while agent.due.map { $0 <= now } ?? false
        return result
    }

    /// Lets so many seconds pass, and returns what was said.
    private func live(_ agent: DeviceAgent, _ time: Time, seconds: Int, isShared: Bool = false) throws -> [JSONObject] {
        var result: [JSONObject] = []
        for _ in 0..<seconds {
            let out = work(agent, at: time.now, isShared: isShared)
            result += try out.filter(\.isTelemetry).map { try $0.message.json }
            time.now += .seconds(1)
        }
        return result
    }

    @Test("Stationary publishes the same place at rest, then goes on from there")
    func stationary() throws {
        let (agent, time) = (agent(), Time())
        let first = try live(agent, time, seconds: 5)
        let before = try #require(first.last)
        #expect(agent.obey(DeviceCommand(.stationary, for: .seconds(10)), at: time.now) == nil)
        let standing = try live(agent, time, seconds: 10)
        #expect(standing.count == 10)
        #expect(standing.allSatisfy { $0["lat"] == before["lat"] && $0["lon"] == before["lon"] && $0["speed"] == 0 })
        let after = try live(agent, time, seconds: 3)
        #expect(after.last?["lat"] != before["lat"])
    }

    @Test("Without a position it says so, and recovers; stopped it is silent and lives on")
    func lostAndStopped() throws {
        let (agent, time) = (agent(), Time())
        _ = agent.obey(DeviceCommand(.positionLost), at: time.now)
        #expect(try live(agent, time, seconds: 3).allSatisfy { $0["position"]?.isNull == true && $0["lat"] == nil })
        _ = agent.obey(DeviceCommand(.resume), at: time.now)
        #expect(try live(agent, time, seconds: 2).allSatisfy { $0["lat"]?.number != nil })
        _ = agent.obey(DeviceCommand(.stop, for: .seconds(4)), at: time.now)
        #expect(try live(agent, time, seconds: 4).isEmpty)
        #expect(try live(agent, time, seconds: 1).first?["seq"] == 10)
        #expect(agent.counters.cutOff == 0 && agent.counters.crowdedOut == 0)
    }

    @Test("What is not sent is counted by why; the first reading waits for the greeting")
    func notSent() {
        let agent = agent(.walk)
        func work(_ seconds: Int, isOnline: Bool = true, hasRoom: Bool) -> Int {
            agent.work(
                now: .seconds(seconds), wall: Self.wall.advanced(by: .seconds(seconds)), isOnline: isOnline,
                hasRoom: hasRoom, isShared: false
            ).count(where: \.isTelemetry)
        }
        #expect(work(0, hasRoom: false) == 0 && agent.isHeldBack)
        #expect(work(0, hasRoom: true) == 1)
        #expect(work(1, hasRoom: false) == 0 && !agent.isHeldBack)
        #expect(work(2, isOnline: false, hasRoom: true) == 0)
        #expect(work(3, isOnline: false, hasRoom: false) == 0)
        #expect(work(4, hasRoom: true) == 1)
        #expect(agent.counters.readings == 5)
        #expect(agent.counters.crowdedOut == 1 && agent.counters.cutOff == 2)
    }

    @Test("Sent home a vacuum charges at its dock; who has none refuses")
    func dock() throws {
        let (agent, time) = (agent(), Time())
        _ = try live(agent, time, seconds: 3)
        #expect(agent.obey(DeviceCommand(.dock), at: time.now) == nil)
        let told = try live(agent, time, seconds: 400)
        #expect(told.first?["state"] == "returning" && told.last?["state"] == "docked" && told.last?["charge"] == 100)
        _ = agent.obey(DeviceCommand(.resume), at: time.now)
        #expect(try live(agent, time, seconds: 1).first?["state"] != "docked")
        #expect(self.agent(.walk).obey(DeviceCommand(.dock), at: .zero) == "it has no dock")
        let places = [(57.0, 9.0), (57.1, 9.0)].compactMap { Position(latitude: $0, longitude: $1) }
        let motion = try #require(RouteMotion(along: places, speed: 1, end: .stop))
        let identity = DeviceScript.device()
        let traveller = DeviceAgent(
            SimulatedTraveller(identity: identity, motion: motion), format: NativeFormat(device: identity),
            interval: .seconds(1), phase: .zero, faults: FaultInjector(FaultSettings(), fields: nil, seed: 1, device: 0)
        )
        #expect(traveller.obey(DeviceCommand(.dock), at: .zero) == "it has no dock")
    }

    @Test("Twice as fast is twice as far; another interval is another rhythm")
    func speedAndInterval() throws {
        let (agent, time) = (agent(.walk), Time())
        _ = agent.obey(DeviceCommand(.speed(2)), at: time.now)
        let told = try live(agent, time, seconds: 3)
        #expect(told.allSatisfy { $0["speed"] == 2 })
        let places = told.compactMap {
            Position(latitude: $0["lat"]?.number ?? .nan, longitude: $0["lon"]?.number ?? .nan)
        }
        // Four steps of half a metre, with gentle turns.
        #expect((1.6...2.01).contains(places[0].distance(to: places[1])))
        _ = agent.obey(DeviceCommand(.interval(.seconds(5))), at: time.now)
        #expect(try live(agent, time, seconds: 20).count <= 5)
        _ = agent.obey(DeviceCommand(.interval(.milliseconds(100))), at: time.now)
        #expect(try live(agent, time, seconds: 10).count >= 50)
    }

    @Test("On a shared connection a device that is away says its will or its last words, then greets")
    func sharedAbsence() throws {
        for graceful in [true, false] {
            let agent = agent()
            func words(_ seconds: Int) -> [String] {
                work(agent, at: .seconds(seconds), isShared: true)
                    .filter { !$0.isTelemetry }.map { "\($0.message.lastLevel) \($0.message.payloadText)" }
            }
            _ = agent.obey(DeviceCommand(.disconnect(graceful: graceful), for: .seconds(5)), at: .seconds(1))
            #expect(words(1) == ["connection offline"])
            #expect(words(3).isEmpty)
            #expect(words(6) == ["connection online"])
        }
    }

    @Test("Devices of every format take commands", arguments: SimulatedFormat.all.map(\.name))
    func formats(name: String) throws {
        let agent = agent(format: try DeviceScript.format(name))
        for action in [DeviceCommand.Action.stationary, .positionLost, .stop, .dock, .speed(2), .interval(.seconds(2))]
        {
            #expect(agent.obey(DeviceCommand(action, for: .seconds(3)), at: .zero) == nil)
        }
        #expect(work(agent, at: .zero).isEmpty)
        #expect(!work(agent, at: .seconds(9)).isEmpty)
    }
}
