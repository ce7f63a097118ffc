import FleetEngine
import JSON
import Locations
import MQTTModel
import Testing
import Timestamps

/// An engine that reads from one broker in memory and publishes to another.
private final class TwoBrokers {
    private(set) var now = ScriptedBroker.start
    let engine: Engine
    var isInputUp = true, isOutputUp = true
    /// Whether the reading connection's probe comes back.
    var returnsProbes = true
    private(set) var retained: [String: [UInt8]]
    private(set) var published: [String] = []
    private(set) var subscribed: (input: [String], output: [String]) = ([], [])
    private(set) var connects: (input: [Duration], output: [Duration]) = ([], [])
    private(set) var wills: (input: Message?, output: Message?) = (nil, nil)
    private(set) var isConnected: (input: Bool, output: Bool) = (false, false)
    private(set) var log: [LogEntry] = []
    private(set) var exitCode: Int32?
    private var pending: [Event] = []

    init(inputUp: Bool = true, outputUp: Bool = true, retained: [String: [UInt8]] = [:]) {
        (isInputUp, isOutputUp, self.retained) = (inputUp, outputUp, retained)
        var configuration = EngineConfiguration(sources: [.robots()], displayRules: .none)
        configuration.clientIdentifier = "out"
        configuration.sourceClientIdentifier = "in"
        engine = Engine(configuration, version: "test", seed: 1, at: now)
        run(.tick)
    }

    func run(_ event: Event) {
        pending.append(event)
        while !pending.isEmpty {
            for effect in engine.handle(pending.removeFirst(), at: now) { carryOut(effect) }
        }
    }

    func report(_ payload: String) {
        guard isConnected.input else { return }
        run(.source(.message(Message(topicName: "fleet/robots/r1/telemetry", payload: Array(payload.utf8)))))
    }

    func wait(_ duration: Duration) {
        let end = now.monotonic + duration
        var rounds = 0
        while let deadline = engine.nextDeadline, deadline <= end {
            now = now.advanced(by: max(.zero, deadline - now.monotonic))
            run(.tick)
            rounds += 1
            guard rounds <= 10_000 else {
                Issue.record("the engine's deadlines do not move on")
                return
            }
        }
        now = now.advanced(by: end - now.monotonic)
        run(.tick)
    }

    func cutInput() {
        (isInputUp, isConnected.input) = (false, false)
        run(.source(.disconnected(reason: "cut")))
    }

    func cutOutput() {
        (isOutputUp, isConnected.output) = (false, false)
        run(.disconnected(reason: "cut"))
    }

    func json(_ topicName: String) -> JSONObject? {
        retained["fleet-bridge/" + topicName].flatMap { try? JSONParser().parse($0) }?.object
    }

    private func carryOut(_ effect: Effect) {
        switch effect {
        case .source(.connect(let will)):
            (wills.input, isConnected.input) = (will, isInputUp)
            connects.input.append(now.monotonic)
            subscribed.input = []
            pending.append(.source(answer(isInputUp)))
        case .source(.subscribe(let subscription, let token)):
            subscribed.input.append(subscription.topicFilter)
            pending.append(.source(.subscribed(token, ReasonCode(rawValue: subscription.qos.rawValue))))
        case .source(.publish(let message, let token)):
            #expect(message.topicName == "fleet-bridge/probe/in", "nothing else is published there")
            if returnsProbes { pending.append(.source(.message(message))) }
            pending.append(.source(.published(token, .success)))
        case .source(.disconnect): isConnected.input = false
        case .source(let effect): Issue.record("\(effect)")
        case .connect(let will):
            (wills.output, isConnected.output) = (will, isOutputUp)
            connects.output.append(now.monotonic)
            subscribed.output = []
            pending.append(answer(isOutputUp))
        case .subscribe(let subscription, let token):
            subscribed.output.append(subscription.topicFilter)
            pending.append(.subscribed(token, ReasonCode(rawValue: subscription.qos.rawValue)))
            guard subscription.retainHandling == .always, subscription.topicFilter.hasSuffix("/state") else { return }
            for (topicName, payload) in retained where topicName.hasSuffix("/state") {
                pending.append(.message(Message(topicName: topicName, payload: payload, retain: true)))
            }
        case .publish(let message, let token):
            if message.topicName.hasSuffix("/probe/out") {
                pending.append(.message(message))
            } else {
                published.append(message.topicName)
                if message.retain { retained[message.topicName] = message.payload }
            }
            pending.append(.published(token, .success))
        case .disconnect: isConnected.output = false
        case .log(let entry): log.append(entry)
        case .exit(let code): exitCode = exitCode ?? code
        case .unsubscribe, .reconfigure: break
        }
    }

    private func answer(_ isUp: Bool) -> Event {
        isUp ? .connected(maximumPacketSize: nil, receiveMaximum: nil) : .disconnected(reason: "refused")
    }
}

private let here = #"{"lat":57,"lon":9,"n":1}"#
private let there = #"{"lat":58,"lon":9,"n":2}"#

@Suite("Reading from one broker and publishing to another")
struct TwoBrokersTests {
    @Test("Sources are read at the one, everything else is at the other, with the will")
    func sides() {
        let brokers = TwoBrokers()
        brokers.report(here)
        #expect(brokers.json("robots/r1/state")?.number("position", "lat") == 57)
        #expect(brokers.json("robots/status")?["status"] == "available")
        #expect(brokers.json("status")?["state"] == "online")
        #expect(brokers.wills.input == nil)
        #expect(brokers.wills.output?.topicName == "fleet-bridge/status")
        #expect(brokers.subscribed.input.contains("fleet/robots/+/telemetry"))
        #expect(brokers.subscribed.input.allSatisfy { $0.hasPrefix("fleet/") || $0 == "fleet-bridge/probe/in" })
        #expect(brokers.subscribed.output.contains("fleet-bridge/request/#"))
        #expect(brokers.subscribed.output.allSatisfy { $0.hasPrefix("fleet-bridge/") })
    }

    @Test("While the broker that is read from is away the bridge is online, and its sources are not")
    func inputOutage() {
        let brokers = TwoBrokers()
        brokers.report(here)
        brokers.cutInput()
        brokers.wait(.seconds(1))
        #expect(brokers.json("status")?["state"] == "online")
        #expect(brokers.json("robots/status")?["status"] == "unavailable")
        #expect(brokers.json("robots/status")?["reason"] == "disconnected")
        brokers.wait(.seconds(60))
        #expect(brokers.json("robots/r1/state")?["status"] == "stale")
        #expect(brokers.connects.output.count == 1)
        #expect(brokers.connects.input.count > 4, "it is tried again")

        brokers.isInputUp = true
        brokers.wait(.seconds(12))
        brokers.report(there)
        brokers.wait(.seconds(1))
        #expect(brokers.json("robots/status")?["status"] == "available")
        #expect(brokers.json("robots/r1/state")?.number("position", "lat") == 58)
        #expect(brokers.connects.output.count == 1)
    }

    @Test("While the broker that is published to is away reading goes on, and then what is known is shown")
    func outputOutage() {
        let brokers = TwoBrokers()
        brokers.report(here)
        #expect(brokers.log.contains { $0.message == "connected to the output broker" })
        brokers.cutOutput()
        #expect(brokers.log.last?.message == "the output broker is disconnected")
        let before = brokers.published.count
        brokers.report(there)
        brokers.wait(.seconds(5))
        #expect(brokers.published.count == before)
        #expect(brokers.connects.input.count == 1)
        #expect(brokers.engine.locations.first?.position?.latitude == 58)
        brokers.isOutputUp = true
        brokers.wait(.seconds(12))
        #expect(brokers.json("robots/r1/state")?.number("position", "lat") == 58)
        #expect(brokers.json("robots/status")?["status"] == "available")
        #expect(brokers.json("status")?["state"] == "online")
        #expect(brokers.connects.input.count == 1)
    }

    @Test("How many reports never were shown is said when the broker that is published to is back, and once")
    func superseded() {
        let brokers = TwoBrokers()
        func said() -> [String] {
            brokers.log.filter { $0.message.hasPrefix("of what came meanwhile") }.flatMap { $0.fields.map(\.value) }
        }
        brokers.cutOutput()
        for number in 1...5 { brokers.report(#"{"lat":58,"lon":9,"n":\#(number)}"#) }
        brokers.isOutputUp = true
        brokers.wait(.seconds(12))
        #expect(brokers.json("robots/r1/state")?["properties"]?.object?["n"] == 5)
        #expect(said() == ["4"])
        brokers.cutOutput()
        brokers.report(there)
        brokers.isOutputUp = true
        brokers.wait(.seconds(12))
        #expect(said() == ["4"], "nothing was superseded")
    }

    @Test("What was known is read back before the sources are, unless that broker is away")
    func readBack() throws {
        let first = TwoBrokers()
        first.report(here)
        first.wait(.seconds(1))
        let known = first.retained.filter { $0.key.hasSuffix("/state") }
        #expect(known.count == 1)

        let again = TwoBrokers(inputUp: false, retained: known)
        #expect(again.engine.locations.count == 1)
        #expect(again.json("robots/status")?["reason"] == "disconnected")
        #expect(again.json("status")?["state"] == "online")

        let late = TwoBrokers(outputUp: false, retained: known)
        #expect(late.isConnected.input)
        late.report(there)
        #expect(late.engine.locations.first?.position?.latitude == 58)
        late.isOutputUp = true
        late.wait(.seconds(12))
        #expect(late.json("robots/r1/state")?.number("position", "lat") == 58, "what is newer stays")
    }

    @Test("A probe that does not come back holds nothing up")
    func lostProbe() {
        let brokers = TwoBrokers()
        brokers.returnsProbes = false
        brokers.cutInput()
        brokers.isInputUp = true
        brokers.wait(.seconds(20))
        #expect(brokers.log.contains { $0.message.hasPrefix("the probe did not come back") })
        brokers.report(here)
        brokers.wait(.seconds(1))
        #expect(brokers.json("robots/status")?["status"] == "available")
    }

    @Test("Ending takes leave of both, whichever is there", arguments: [(true, true), (true, false), (false, true)])
    func shutdown(isInputUp: Bool, isOutputUp: Bool) {
        let brokers = TwoBrokers(inputUp: isInputUp, outputUp: isOutputUp)
        brokers.wait(.seconds(2))
        brokers.run(.shutdown)
        brokers.wait(.seconds(5))
        #expect(brokers.exitCode == 0)
        #expect(!brokers.isConnected.input && !brokers.isConnected.output)
        if isOutputUp {
            #expect(brokers.json("status")?["state"] == "offline")
            #expect(brokers.json("robots/status")?["reason"] == "shutdown")
        }
        let attempts = brokers.connects.input.count + brokers.connects.output.count
        brokers.wait(.seconds(60))
        #expect(brokers.connects.input.count + brokers.connects.output.count == attempts)
    }
}
