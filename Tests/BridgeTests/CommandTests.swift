import FleetTestSupport
import JSON
import Testing

/// The commands that need no broker, run as a user runs them.
@Suite("fleet-bridge check, convert and replay", .timeLimit(.minutes(5)))
struct CommandTests {
    @Test("check points to each fault of a file, and ends with 2")
    func check() throws {
        let file = try TemporaryFile(
            "bridge.yaml",
            """
            sources:
              robots:
                topics: ["fleet/robots/{device}/telemetry"]
                maxRat: 3
                staleAfter: soon
            displayRules:
              - {name: main, set: {iconColor: [stepp, [get, charge], red]}}
            """)
        for arguments in [["check", file.path], ["run", "--config", file.path], ["convert", "--config", file.path]] {
            let process = try ProductProcess("fleet-bridge", arguments)
            #expect(try process.wait() == 2)
            #expect(process.output.isEmpty)
            let lines = process.errors.split(separator: "\n")
            #expect(lines.count == 3)
            for (line, start) in zip(lines, [":4:5: error: ", ":5:17: error: ", ":7:36: error: "]) {
                #expect(line.hasPrefix(file.path + start), "\(line)")
            }
        }
    }

    @Test("Both programs have one version")
    func version() throws {
        let versions = try ["fleet-bridge", "fleet-sim"].map { name in
            let process = try ProductProcess(name, ["--version"])
            #expect(try process.wait() == 0)
            return process.output.replacing(name, with: "")
        }
        #expect(versions[0] == versions[1] && versions[0].contains("."))
    }

    @Test("check says nothing of a good file, and ends with 0")
    func checkGood() throws {
        let file = try TemporaryFile("bridge.yaml", Settings.robots)
        let process = try ProductProcess("fleet-bridge", ["check", file.path])
        #expect(try process.wait() == 0)
        #expect(process.output.isEmpty && process.errors.isEmpty)
    }

    @Test("An output that an input filter matches is refused before anything is read")
    func feedback() throws {
        let file = try TemporaryFile("bridge.yaml", "sources: {all: {topics: [\"#\"]}}\n")
        for command in [["check", file.path], ["run", "--config", file.path]] {
            let process = try ProductProcess("fleet-bridge", command)
            #expect(try process.wait() == 2)
            #expect(process.errors.hasPrefix("\(file.path):1:"))
        }
    }

    @Test("convert names the formats it knows when asked for another, and ends with 64")
    func unknownFormat() throws {
        let process = try ProductProcess("fleet-bridge", ["convert", "--format", "nope"])
        #expect(try process.wait() == 64)
        #expect(process.errors.contains("native") && process.errors.contains("owntracks"))
        #expect(process.output.isEmpty)
    }

    @Test("convert answers each message with a line, and goes on after one that is none")
    func convert() throws {
        let input = """
            {"topic":"fleet/v/a/telemetry","payload":{"lat":1,"lon":2,"ts":"2026-11-29T12:00:00Z"},"time":"2026-11-29T12:00:01Z"}
            nonsense

            {"topic":"fleet/v/a/telemetry","payloadBase64":"/w=="}
            {"topic":"x/y","payload":1}
            {"topic":"fleet/v/a/telemetry","payloadText":""}
            {"topic":"fleet/v/a/telemetry","payload":[{"charge":1,"ts":"2026-11-29T12:00:02Z"},{"lat":91,"lon":2}],"time":"2026-11-29T12:00:03Z"}
            """
        let process = try ProductProcess("fleet-bridge", ["convert"], input: Array(input.utf8))
        #expect(try process.wait() == 1)
        #expect(process.errors.hasPrefix("-:2: "))
        #expect(
            process.output == """
                {"reports":[{"id":"a","lat":1,"lon":2,"time":"2026-11-29T12:00:00.000Z"}]}
                {"rejected":{"reason":"invalid-utf8","pointer":"","detail":"ill-formed UTF-8 at byte 0"}}
                {"ignored":{"reason":"no-source"}}
                {"ignored":{"reason":"withdrawn","id":"a"}}
                {"reports":[{"id":"a","charge":1,"time":"2026-11-29T12:00:02.000Z"}],"rejectedReports":[{"reason":"position-out-of-range","pointer":"/1/lat","detail":"latitude 91.0 is not within ±90"}]}

                """)
    }

    @Test("convert --explain shows what was taken from where, and ends with convert's own line")
    func explain() throws {
        let input = """
            {"topic":"owntracks/jane/phone","payload":{"_type":"location","lat":57.5,"lon":9.25,"vel":36,"tst":1795953000,"p":101}}
            {"topic":"x/y","payload":1}

            """
        let process = try ProductProcess(
            "fleet-bridge", ["convert", "--format", "owntracks", "--explain"], input: Array(input.utf8))
        #expect(try process.wait() == 0)
        #expect(
            process.output.hasPrefix(
                """
                owntracks/jane/phone  (76 bytes, format owntracks, source owntracks, filter owntracks/{user}/{device})
                  where           value       field                  becomes                   converted from
                  topic {user}    jane        id                     jane/phone
                  topic {device}  phone       id                     jane/phone
                  /lat            57.5        lat                    57.5
                  /lon            9.25        lon                    9.25
                  /vel            36          speed                  10                        km/h
                  /tst            1795953000  time                   2026-11-29T11:50:00.000Z  Unix seconds
                  /_type          location    (what the message is)
                  not taken: /p
                  frame: WGS 84, degrees; heading clockwise from true north
                  applied: {"reports":[{"id":"jane/phone","lat":57.5,"lon":9.25,"speed":10,"time":"2026-11-29T11:50:00.000Z"}]}

                x/y  (1 bytes, format owntracks, source owntracks)

                """))
    }

    @Test("convert --explain --json is one object a message")
    func explainJSON() throws {
        let input = #"{"topic":"fleet/v/a/telemetry","payload":{"lat":1,"lon":2,"charge":"x"}}"#
        let process = try ProductProcess(
            "fleet-bridge", ["convert", "--explain", "--json"], input: Array(input.utf8))
        #expect(try process.wait() == 0)
        let object = try #require(try JSONParser().parse(process.output).object)
        #expect(object["taken"]?.array?.last?.object?["pointer"] == "/charge")
        #expect(object["policies"]?.array?.first?.object?["policy"] == "valueUnusable")
        #expect(object["output"]?.object?["reports"]?.array?.count == 1)
        let alone = try ProductProcess("fleet-bridge", ["convert", "--json"])
        #expect(try alone.wait() == 64)
    }

    private static let record = """
        {"time":"2026-11-29T12:00:00.000Z","topic":"fleet/v/a/telemetry","qos":1,"retain":false,"payloadBase64":"eyJsYXQiOjU3LjUsImxvbiI6OS4yNX0="}
        {"time":"2026-11-29T12:00:00.100Z","topic":"fleet/v/a/telemetry","qos":1,"retain":false,"payload":{"lat":57.6,"lon":9.25}}
        {"tst":"2026-11-29T12:00:00.200000Z+0000","topic":"fleet/v/b/telemetry","qos":0,"retain":0,"payloadlen":22,"payload":{"lat":57,"lon":9}}
        {"time":"2026-11-29T12:00:31.000Z","topic":"fleet/v/b/telemetry","qos":0,"retain":false,"payloadText":""}
        {"time":"2026-11-29T12:00:31.100Z","topic":"fleet/v/c/telemetry","qos":0,"retain":false,"payload":{"lat":1,"lon":2}}
        {"time":"2026-11-29T12:00:31.200Z","topic":"fleet/v/c/telemetry","qos":0,"retain":false,"payload":{"lat":3,"lon":4}}

        """

    @Test("replay prints the same bytes each time, in the order of the recorded times")
    func replay() throws {
        let file = try TemporaryFile("record.jsonl", Self.record)
        let outputs = try (0..<2).map { _ in
            let process = try ProductProcess("fleet-bridge", ["replay", file.path])
            #expect(try process.wait() == 0)
            #expect(process.errors.isEmpty)
            return process.output
        }
        #expect(outputs[0] == outputs[1])
        let lines = try outputs[0].split(separator: "\n").map {
            try #require(try JSONParser().parse(String($0)).object)
        }
        for line in lines {
            let payload = line.members.last?.key ?? ""
            #expect(line.members.map(\.key) == ["time", "topic", "qos", "retain", payload])
            #expect(["payload", "payloadText", "payloadBase64"].contains(payload))
        }
        // One session, named after the first line's time.
        #expect(lines.first?["payload"]?.object?["session"] == 1_795_953_600_000)
        let times = lines.compactMap { $0["time"]?.string }
        #expect(times == times.sorted() && times.first == "2026-11-29T12:00:00.000Z")

        func states(_ id: String) -> [JSONObject] {
            lines.filter { $0["topic"] == .string("fleet-bridge/v/\(id)/state") }
        }
        // The second waits for the rate, then silence tells; `b` was heard later, and was withdrawn.
        #expect(
            states("a").map { $0["time"] } == [
                "2026-11-29T12:00:00.000Z", "2026-11-29T12:00:00.500Z", "2026-11-29T12:00:30.100Z",
            ])
        #expect(states("a").last?["payload"]?.object?["status"] == "stale")
        #expect(states("b").last?["payloadText"] == "")
        // After the last line what the rate holds back still comes, and nothing becomes stale.
        #expect(states("c").map { $0["payload"]?.object?.value("position.lat") } == [1, 3])
        #expect(states("c").last?["time"] == "2026-11-29T12:00:31.600Z")
        #expect(lines.last?["topic"] == states("c").last?["topic"])
    }

    @Test("What is no message is told by its line, and the rest still read")
    func faultyLines() throws {
        let good = #"{"topic":"fleet/v/a/telemetry","payload":{"lat":1,"lon":2}}"#
        let faults = [
            (#"{"payload":{}}"#, "no \"topic\""), (#"{"topic":"a"}"#, "no \"payload\""),
            (#"{"topic":"a","payloadBase64":"?"}"#, "no base64"), (#"{"topic":"a","payloadBase64":5}"#, "no base64"),
            (#"{"topic":"a","payload":1,"payloadText":"2"}"#, "one payload"),
            (#"{"topic":"a","payloadText":5}"#, "no text"), (#"{"topic":"a","payload":1,"qos":3}"#, "0, 1 or 2"),
            (#"{"topic":"a","payload":1,"retain":"yes"}"#, "true or false"),
            (#"{"topic":"a","payload":1,"time":"yesterday"}"#, "no time"),
            (#"{"topic":"a","payload":1,"time":1764417600}"#, "no time"),
            (#"{"topic":"a","payload":1,"time":null}"#, "no time"),
            (#"{"topic":"a","payload":1,"time":"2026-11-29T12:00:00Zulu"}"#, "no time"),
            (#"{"topic":"a","payload":1,"time":"2026-02-30T12:00:00Z"}"#, "no time"),
        ]
        let input = faults.map(\.0).joined(separator: "\n") + "\n" + good
        let process = try ProductProcess("fleet-bridge", ["convert"], input: Array(input.utf8))
        #expect(try process.wait() == 1)
        let errors = process.errors.split(separator: "\n")
        #expect(errors.count == faults.count)
        for (index, (error, fault)) in zip(errors, faults).enumerated() {
            #expect(error.hasPrefix("-:\(index + 1): ") && error.contains(fault.1), "\(error)")
        }
        #expect(process.output.contains("reports"))
    }

    @Test("A folder or a missing file is no recording", arguments: ["/tmp", "/nowhere.jsonl"])
    func unreadable(path: String) throws {
        let process = try ProductProcess("fleet-bridge", ["replay", path])
        #expect(try process.wait() == 1)
        #expect(process.errors.contains(path))
        #expect(process.output.isEmpty)
    }

    /// Each writes a line for this input.
    private static let writers = [
        "convert", "eval", "replay -", "explain $CONFIG --location -", "explain $CONFIG --location - --json",
        "convert --explain", "test $TESTS",
    ]

    @Test("An answer that cannot be written is a failure; that nobody reads on is no news", arguments: writers)
    func unwritable(command: String) throws {
        let config = try TemporaryFile("bridge.yaml", Settings.robots)
        let tests = try TemporaryFile(
            "bridge.test.yaml",
            "configuration: \(config.path)\ntests: [{location: {id: a, source: robots}, expect: {display: {icon: marker}}}]\n"
        )
        let words = command.replacing("$CONFIG", with: config.path).replacing("$TESTS", with: tests.path)
        let input =
            command.hasPrefix("explain")
            ? #"{"id":"a","source":"robots"}"#
            : #"{"topic":"fleet/v/a/telemetry","payload":{"lat":1,"lon":2},"time":"2026-11-29T12:00:00Z","expression":["+",1,2]}"#
        func run(_ tail: String, after start: String = "") throws -> ProductProcess {
            let script = "\(start) \(try ProductProcess.path("fleet-bridge")) \(words) \(tail)"
            return try ProductProcess(program: "/bin/sh", ["-c", script], input: Array((input + "\n").utf8))
        }
        #expect(try run("").wait() == 0)
        let full = try run(">/dev/full")
        #expect(try full.wait() == 1)
        #expect(full.errors.contains("the output cannot be written: No space left on device"))
        // A pipe whose reader is gone before anything is written.
        let pipe = "\(config.path).pipe"
        let closed = try run(">&4", after: "mkfifo \(pipe); exec 3<>\(pipe) 4>\(pipe) 3<&-; rm \(pipe);")
        #expect(try closed.wait() == 1)
        #expect(closed.errors.isEmpty, "\(closed.errors)")
    }
}
