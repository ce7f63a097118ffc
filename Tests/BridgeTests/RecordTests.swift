import FleetTestSupport
import Glibc
import JSON
import LocalBroker
import MQTTModel
import Testing

@Suite("fleet-bridge record", .enabled(if: Broker.isInstalled), .timeLimit(.minutes(5)))
struct RecordTests {
    private func record(_ broker: EmbeddedBroker, _ file: TemporaryFile, _ options: String...) throws -> ProductProcess
    {
        try ProductProcess(
            "fleet-bridge",
            ["record", "--config", file.path, "--broker", broker.url, "--for", "60s"] + options)
    }

    private func objects(_ text: String) throws -> [JSONObject] {
        try text.split(separator: "\n").map { try #require(try JSONParser().parse(String($0)).object) }
    }

    @Test(
        "What is stored and what comes is a line each, once, whatever its bytes; nothing is published",
        arguments: ["5", "3.1.1"])
    func lines(version: String) throws {
        try Broker.withBroker { broker in
            let devices = try Devices(broker)
            let stored = Array(#"{"lat":57.5,"lon":9.25}"#.utf8)
            try devices.publish("fleet/robots/r1/telemetry", stored, retain: true)
            try devices.publish("fleet/others/r1/telemetry", stored, retain: true)
            let file = try TemporaryFile(
                "bridge.yaml",
                """
                broker: {protocol: \(version)}
                sources:
                  robots: {topics: ["fleet/robots/{device}/telemetry", "fleet/robots/{device}/connection"]}
                  rest: {topics: ["fleet/robots/+/#"]}
                """)
            let listener = try TestClient(port: broker.port)
            try listener.subscribe("#", retainHandling: .never)
            let recorder = try record(broker, file)
            try recorder.waitForOutput("fleet/robots/r1/telemetry")
            try recorder.waitForErrors("recording")
            let bytes: [[UInt8]] = [Array("online".utf8), [0xFF, 0, 0x0A], []]
            for payload in bytes { try devices.publish("fleet/robots/r2/connection", payload) }
            while try objects(recorder.output).count < 4 { usleep(5_000) }
            recorder.send(SIGTERM)
            #expect(try recorder.wait() == 0)
            #expect(recorder.errors.contains("recorded messages=4"))

            let lines = try objects(recorder.output)
            for line in lines {
                #expect(line.members.map(\.key) == ["time", "topic", "qos", "retain", "payloadBase64"])
            }
            #expect(lines.map { $0["retain"] } == [true, false, false, false])
            #expect(lines.map { $0["qos"] } == [0, 1, 1, 1])
            #expect(lines.map { $0["payloadBase64"] } == ["eyJsYXQiOjU3LjUsImxvbiI6OS4yNX0=", "b25saW5l", "/wAK", ""])
            #expect(try listener.settle().count == 3, "only what the devices said")
        }
    }

    @Test("A recording replays to what the bridge had shown")
    func roundTrip() throws {
        try Broker.withBroker { broker in
            let file = try TemporaryFile("bridge.yaml", Settings.robots)
            let bridge = try Bridge(broker, Settings.robots)
            try bridge.waitUntilReady()
            let recorder = try record(broker, file)
            try recorder.waitForErrors("recording")
            let watcher = try Watcher(broker)
            let devices = try Devices(broker)
            try devices.report("r0")
            for _ in 0..<20 { for device in ["r1", "r2", "r3"] { try devices.report(device) } }
            try devices.waitUntilCurrent(watcher)
            recorder.send(SIGINT)
            #expect(try recorder.wait() == 0)
            let recording = try TemporaryFile("recording.jsonl", recorder.output)
            let replay = try ProductProcess("fleet-bridge", ["replay", "--config", file.path, recording.path])
            #expect(try replay.wait() == 0)
            var shown: [String: JSONObject] = [:]
            for line in try objects(replay.output) {
                if let topic = line["topic"]?.string { shown[topic] = line["payload"]?.object }
            }
            for device in ["r1", "r2", "r3"] {
                let live = try #require(watcher.state(device))
                let replayed = try #require(shown["fleet-bridge/robots/\(device)/state"])
                for key in ["position", "charge", "time", "properties", "status", "display"] {
                    #expect(replayed[key] == live[key], "\(key)")
                }
            }
            #expect(try bridge.stop() == 0)
        }
    }

    @Test("What mosquitto_sub records replays, whatever zone it was recorded in", arguments: ["%j", "%J"])
    func subscriber(format: String) throws {
        let payloads = [#"{"lat":57.5,"lon":9.25,"name":"Vacuüm \"3\""}"#, #""online""#, "[]"]
        try Broker.withBroker { broker in
            let recording = try TemporaryFile("recording.jsonl", "")
            let script = """
                TZ=XXX-5:30 mosquitto_sub -V mqttv5 -p \(broker.port) -t 'fleet/#' -F '\(format)' -C 4 -W 60 > \(recording.path)
                """
            // What is stored comes first, and shows that it listens.
            let devices = try Devices(broker)
            try devices.publish("fleet/robots/first/telemetry", Array("{}".utf8), retain: true)
            let start = now()
            let subscriber = try ProductProcess(program: "/bin/sh", ["-c", script])
            let limit = monotonicNow() + .seconds(60)
            while recording.text.isEmpty, monotonicNow() < limit { usleep(5_000) }
            for payload in payloads { try devices.publish("fleet/robots/r1/telemetry", Array(payload.utf8)) }
            _ = try subscriber.wait(atMost: .seconds(70))
            let converted = try ProductProcess("fleet-bridge", ["convert"], input: Array(recording.text.utf8))
            #expect(try converted.wait() == 0)
            let results = converted.output.split(separator: "\n").suffix(3)
            #expect(results.count <= 3)
            #expect(converted.output.contains(#""name":"Vacuüm \"3\"""#), "\(converted.output)")

            let replay = try ProductProcess("fleet-bridge", ["replay", recording.path])
            #expect(try replay.wait() == 0)
            let times = try objects(replay.output).compactMap { $0["time"]?.string }
            #expect(!times.isEmpty && times.allSatisfy { $0 >= start && $0 <= now(.seconds(60)) }, "\(times)")
        }
    }

    @Test("A disk that is full ends it with 1 and a word")
    func fullDisk() throws {
        try Broker.withBroker { broker in
            try Devices(broker).publish("fleet/robots/r1/telemetry", Array("{}".utf8), retain: true)
            let file = try TemporaryFile("bridge.yaml", Settings.robots)
            let script =
                "exec \(try ProductProcess.path("fleet-bridge")) record --config \(file.path) --broker \(broker.url) --for 30s >/dev/full"
            let process = try ProductProcess(program: "/bin/sh", ["-c", script])
            #expect(try process.wait() == 1)
            #expect(process.errors.contains("the output cannot be written: No space left on device"))
            #expect(process.errors.contains("recorded messages=0"), "only what is written counts")
        }
    }

    @Test("A broker that never comes is a failure")
    func noBroker() throws {
        try Broker.withBroker { broker in
            broker.kill()
            let process = try ProductProcess("fleet-bridge", ["record", "--broker", broker.url, "--for", "500ms"])
            #expect(try process.wait() == 1)
            #expect(process.errors.contains("Connection refused"))
        }
    }
}
