import Configuration
import SettingsFile
import Testing

/// A source with one more line, at 4:5.
private func source(_ line: String) -> String { "sources:\n  a:\n    topics: [a]\n    \(line)" }

@Suite("Faults in a configuration")
struct FaultTests {
    @Test("All of them are found in one go, in the order of the file")
    func all() {
        expect(
            """
            broker: {url: tcp://x, qos: 3}
            sources:
              status: {topics: [a/#/b], staleAftr: 5s}
              b: {topics: [], format: nativ}
            instance: "hall\\n1"
            """,
            [
                ("1:15", ["broker.url", "mqtt://host:port"]), ("1:29", ["broker.qos", "0 to 2"]),
                ("3:3", ["bad-source-id", "\"status\"", "probe"]),
                ("3:21", ["sources.status.topics[0]", "# stands only at the end"]),
                ("3:29", ["unknown setting", "\"staleAftr\"", "did you mean \"staleAfter\"?"]),
                ("4:15", ["sources.b.topics", "empty"]),
                ("4:27", ["sources.b.format", "native, owntracks", "did you mean \"native\""]),
                ("5:11", ["instance", "control characters"]),
            ])
    }

    @Test(
        "Wrong types and impossible values of a source's setting point to the value",
        arguments: [
            ("staleAfter: 30", "4:17", "duration"), ("staleAfter: [1s]", "4:17", "a list is not a duration"),
            ("staleAfter:", "4:16", "has no value"), ("staleAfter: 0s", "4:17", "not possible"),
            ("staleAfter: -5s", "4:17", "duration"), ("staleAfter: 3 apples", "4:17", "\"3 apples\""),
            ("staleAfter: 40000d", "4:17", "100 years"), ("lostAfter: no", "4:16", "duration"),
            ("removeAfter: 0s", "4:18", "not possible"), ("hold: -1s", "4:11", "duration"),
            ("hold: OFF", "4:11", "duration"),
            ("futureTolerance: off", "4:22", "duration"), ("minInterval: 0ms", "4:18", "not possible"),
            ("heartbeat: 0s", "4:16", "not possible"),
            ("maxLocations: 0", "4:19", "whole number"), ("maxLocations: -1", "4:19", "whole number"),
            ("maxLocations: 1.5", "4:19", "whole number"), ("maxLocations: \"5\"", "4:19", "whole number"),
            ("maxLocations: many", "4:19", "\"many\""), ("maxLocations: 99999999999999999999", "4:19", "whole number"),
            ("maxRate: 0", "4:14", "rate"), ("maxRate: -2", "4:14", "rate"), ("maxRate: .inf", "4:14", "rate"),
            ("maxRate: .nan", "4:14", "rate"), ("maxRate: 1e999", "4:14", "rate"), ("maxRate: 1e-300", "4:14", "rate"),
            ("maxRate: off", "4:14", "unlimited"),
            ("minDistance: 0", "4:18", "distance"), ("minDistance: -1", "4:18", "distance"),
            ("maxPayload: 0", "4:17", "size"), ("maxPayload: 64 kb", "4:17", "64 KiB"),
            ("maxPayload: KiB", "4:17", "size"),
            ("maxPayload: 1e6", "4:17", "size"), ("maxPayload: 999999999999 GiB", "4:17", "size"),
            ("chargeScale: 0-1", "4:18", "mapping"), ("chargeScale: {min: 0}", "4:18", "\"max\" is missing"),
            ("chargeScale: {min: 1, max: 1}", "4:18", "min is not below max"),
            ("chargeScale: {min: 0, max: .inf}", "4:32", "number"),
            ("floors: {Ground: low}", "4:22", "floors.Ground"), ("floors: {}", "4:13", "{Ground: 0, First: 10}"),
            ("floors: 10", "4:13", "{Ground: 0, First: 10}"), ("floors: {Ground: 0.5}", "4:22", "whole number"),
            ("time: devise", "4:11", "did you mean \"device\"?"), ("timeZone: Mars/Olympus", "4:15", "IANA"),
            ("timeZone: 1", "4:15", "text"), ("acceptNullIsland: yes", "4:23", "true or false"),
            ("type: 5", "4:11", "quotes"),
            ("type: true", "4:11", "quotes"), ("type: \"\"", "4:11", "text"),
            ("building: {a: b}", "4:15", "a mapping is not text"),
            ("format: Native", "4:13", "native"), ("format: sparkplug", "4:13", "native, owntracks"),
            ("device: ~", "4:13", "has no value"),
        ])
    func values(line: String, place: String, word: String) {
        let key = String(line.prefix { $0 != ":" })
        expect(source(line), [(place, ["error", word, "sources.a.\(key)"])])
    }

    @Test(
        "Unknown keys, and those that come later, point to the key",
        arguments: [
            (source("topic: x"), "4:5", "did you mean \"topics\"?"), (source("<<: {a: b}"), "4:5", "merge keys"),
            (source("x: 1"), "4:5", "known are format, topics"),
            (source("hold: 1s\n    hold: 2s"), "5:5", "first at 4:5"),
            ("source: {}", "1:1", "did you mean \"sources\"?"),
            ("homeAssistant: {prefix: x}", "1:17", "unknown setting"),
            ("gpxLog: {}", "1:9", "\"directory\" is missing"),
            ("gpxLog: {directory: x, maxSze: 1}", "1:24", "maxSize"),
            ("gpxLog: {directory: x, maxAge: 1h}", "1:32", "1d"),
            ("broker: {caFil: x}", "1:10", "did you mean \"caFile\"?"),
            ("broker: {password: x}", "1:10", "passwordFile"), ("instants: a", "1:1", "did you mean \"instance\"?"),
            ("snapshots: {evry: 1s}", "1:13", "did you mean \"every\"?"),
            ("displayRules: [{set: {}, mach: x}]", "1:26", "did you mean \"match\"?"),
        ])
    func keys(text: String, place: String, word: String) {
        expect(text, [(place, ["error", word])])
    }

    @Test(
        "Faults of the bridge's own settings point to the value",
        arguments: [
            ("stateExpiry: 500ms", "1:14", "not possible"), ("topics: {encode: all}", "1:18", "needed"),
            ("broker: x", "1:9", "mapping"), ("broker: [x]", "1:9", "mapping"), ("[]", "1:1", "a mapping"),
            ("just text", "1:1", "a mapping"),
            ("broker: {url: 5}", "1:15", "mqtt://host:port"), ("broker: {url: tls://x}", "1:15", "mqtts://"),
            ("broker: {url: mqtts://x, caFile: x}", "1:34", "\"x\" cannot be read: No such file"),
            ("broker: {serverName: x}", "1:22", "mqtts://"),
            ("outputBroker: {qos: 1}", "1:16", "unknown setting \"qos\""),
            ("outputBroker: {sessionExpiry: 1h}", "1:16", "unknown setting"),
            ("outputBroker: {keyFile: k}", "1:25", "outputBroker.keyFile"),
            ("outputBroker: {clientId: b}\nbroker: {clientId: b}", "1:15", "push each other off"),
            ("broker: {url: mqtt://u:secret@x}", "1:15", "passwordFile"),
            ("broker: {url: mqtt://u:secret@x}", "1:15", "username"),
            ("broker: {protocol: 3.1}", "1:20", "MQTT 3.1 (\"3.1\") is not supported; expected 5 or 3.1.1"),
            ("broker: {protocol: 3}", "1:20", "not supported"), ("broker: {protocol: 6}", "1:20", "5 or 3.1.1"),
            ("broker: {protocol: [5]}", "1:20", "5 or 3.1.1"), ("broker: {protocol: tcp}", "1:20", "5 or 3.1.1"),
            ("broker: {protocol: }", "1:20", "has no value"),
            ("broker: {qos: -1}", "1:15", "0 to 2"), ("broker: {keepAlive: 1s}", "1:21", "5s"),
            ("broker: {keepAlive: 5500ms}", "1:21", "part of a second"), ("broker: {keepAlive: 1d}", "1:21", "65535s"),
            ("broker: {sessionExpiry: 1h}", "1:25", "clientId"),
            ("broker: {sessionExpiry: 1500ms}", "1:25", "part of a second"),
            ("broker: {clientId: \"a\\nb\"}", "1:20", "control characters"),
            ("broker: {clientId: 5}", "1:20", "quotes"),
            ("topics: {prefix: a/+}", "1:18", "topic"), ("topics: {prefix: a/}", "1:18", "topic"),
            ("topics: {prefix: \"#\"}", "1:18", "topic"), ("topics: {prefix: $SYS/a}", "1:18", "topic"),
            ("topics: {prefix: \"\"}", "1:18", "text"), ("topics: [a]", "1:9", "a list is not a mapping"),
            ("republishRate: 0", "1:16", "rate"), ("maxOutput: 10", "1:12", "size"),
            ("snapshots: {every: 0s}", "1:20", "100ms"),
            ("sources: {}", "1:10", "at least one source"), ("sources:", "1:9", "at least one source"),
            ("sources: [a]", "1:10", "at least one source"), ("sources: {a: }", "1:14", "\"topics\" is missing"),
            ("sources: {a: x}", "1:14", "mapping"), ("sources: {a: {topics: a}}", "1:23", "a list"),
            ("sources: {a: {topics: [5]}}", "1:24", "text"),
            ("sources: {\"\": {topics: [a]}}", "1:11", "bad-source-id"),
            ("sources: {\"a\\0\": {topics: [a]}}", "1:11", "bad-source-id"),
            ("sources: {probe: {topics: [a]}}", "1:11", "bad-source-id"),
            ("displayRules: {}", "1:15", "list"), ("displayRules:", "1:14", "list"),
            ("displayRules: [x]", "1:16", "mapping"),
            ("displayRules: [{name: x}]", "1:16", "\"set\" is missing"),
            ("displayRules: [{set: [x]}]", "1:22", "mapping"),
            ("displayRules: [{set: {}, match: {floor: x}}]", "1:41", "whole number"),
            ("displayRules: [{set: {}, match: {type: [a, 5]}}]", "1:44", "text"),
            ("displayRules: [{set: {}, match: {type: []}}]", "1:40", "empty"),
            ("displayRules: [{set: {}, match: {kind: a}}]", "1:34", "unknown"),
        ])
    func bridge(text: String, place: String, word: String) {
        expect(text, [(place, ["error", word])])
    }

    @Test("A rule for a source that is not there is warned about, unless templates make sources")
    func strangers() throws {
        let rules = "displayRules: [{match: {source: [vacuums, vacums]}, set: {}}]"
        expect(
            "sources: {vacuums: {topics: [a]}}\n\(rules)",
            [("2:43", ["warning", "displayRules[0].match.source", "\"vacums\"", "did you mean \"vacuums\"?"])])
        #expect(try configuration(rules).engine.sources.count == 1)
    }

    @Test("What does nothing is warned about at its place")
    func withoutEffect() {
        expect(
            "broker: {protocol: 3.1.1}\nstateExpiry: 1h",
            [("2:14", ["warning: stateExpiry: does nothing: MQTT 3.1.1 has no expiry of messages"])])
        expect("broker: {protocol: 3.1.1}\noutputBroker: {url: mqtt://h, protocol: 5}\nstateExpiry: 1h", [])
        var surroundings = surroundings()
        surroundings.folderFault = { $0 == "/data/gpx" ? Surroundings.FileError("/data: Permission denied") : nil }
        expect(
            "gpxLog:\n  directory: /data/gpx",
            [
                (
                    "2:14",
                    ["warning: gpxLog.directory: nothing can be written to /data/gpx: /data: Permission denied"]
                )
            ], surroundings)
        expect("gpxLog: {directory: /data/other}", [], surroundings)
    }

    @Test("Whatever is in a file, reading it ends with an answer", arguments: 0..<8 as Range<UInt64>)
    func mutations(seed: UInt64) {
        var random = seed &* 0x9E37_79B9_7F4A_7C15 | 1
        func next(below limit: Int) -> Int {
            random ^= random << 13
            random ^= random >> 7
            random ^= random << 17
            return Int(random % UInt64(limit))
        }
        let text = Array(
            """
            broker: {url: "mqtt://${HOST:-h}:1883", keepAlive: 15s, protocol: 5}
            topics: {prefix: a/b}
            sources:
              x: &x {topics: ["x/{device}/t", "y/#"], maxRate: 2.5, floors: {A: 0}, chargeScale: {min: 0, max: 1}}
              z: {topics: [z], maxPayload: 64 KiB, staleAfter: off, time: arrival}
            displayRules:
              - {name: main, match: {source: [x], floor: 10}, when: [">", 1, 2], set: {icon: marker}}
            """.utf8)
        let pieces = [
            "\"", "'", "[", "{", "}", "]", ":", "\n", "\t", "*x", "&x ", "!", "${", "\0", "- ", "#", "1e999", "٣",
            "|\n",
        ]
        var answers = 0
        for _ in 0..<250 {
            var bytes = text
            for _ in 0...next(below: 4) {
                let position = next(below: bytes.count)
                switch next(below: 4) {
                case 0: bytes[position] = UInt8(next(below: 256))
                case 1: bytes.remove(at: position)
                case 2: bytes.insert(contentsOf: pieces[next(below: pieces.count)].utf8, at: position)
                default: bytes.removeSubrange(position..<min(bytes.count - 1, position + next(below: 40)))
                }
            }
            let outcome = ConfigurationReader(surroundings: surroundings()).read(bytes, path: "f")
            if outcome.configuration == nil {
                #expect(outcome.diagnostics.contains { $0.severity == .error })
            }
            answers += 1
        }
        #expect(answers == 250)
    }

    @Test("A fault in YAML is a diagnostic like any other")
    func yaml() {
        expect("a: [", [("1:5", ["flow"])])
        expect("broker:\n\turl: x", [("2:1", ["tab"])])
        expect("broker: {qos: 9}\nbroker: {}", [("1:15", ["broker.qos"]), ("2:1", ["twice", "1:1"])])
    }

    @Test("A file that cannot be read is an error without a place")
    func unreadable() {
        let outcome = ConfigurationReader(surroundings: surroundings()).read("nowhere.yaml")
        #expect(
            outcome.diagnostics.map(\.description) == [
                "nowhere.yaml: error: the configuration cannot be read: No such file or directory"
            ])
        #expect(outcome.configuration == nil)
    }

    @Test("A file with warnings alone can be used, one with errors cannot")
    func severities() {
        func read(_ text: String) -> ConfigurationReader.Outcome {
            ConfigurationReader(surroundings: surroundings(files: ["f": file(text, isReadableByOthers: true)])).read(
                "f")
        }
        #expect(read("").configuration != nil)
        #expect(read("").diagnostics.isEmpty)
        let warned = read("broker: {username: u}")
        #expect(warned.configuration != nil)
        #expect(warned.diagnostics.map(\.severity) == [.warning])
        #expect(warned.diagnostics[0].message.contains("readable by other users"))
        #expect(read("x: 1").configuration == nil)
    }

    @Test("Text from the file cannot break or steer the output")
    func escaped() {
        let found = outcome("\"a\\n\\e[31m\": 1").diagnostics
        #expect(found.count == 1)
        #expect(found[0].message.contains("a\\n\\u{1b}[31m"))
    }
}
