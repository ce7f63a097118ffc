import Configuration
import FleetEngine
import JSON
import Testing
import Timestamps

/// What `fleet-bridge convert` makes of messages by a mapping.
private struct Reading {
    private let converter: Converter

    init(_ mapping: String, _ settings: String = "", topics: String = "[\"t/{device}/#\", \"u/{device}\"]") throws {
        let text =
            "sources:\n  src:\n    format: mapping\n    topics: \(topics)\n    \(settings)\n    mapping: \(mapping)"
        converter = Converter(try configuration(text).engine.sources)
    }

    /// A line of the output; with one report, that report.
    func callAsFunction(_ payload: String, topic: String = "t/d/x", after seconds: Int = 0) -> JSONObject {
        let arrival = Timestamp(milliseconds: 1_795_953_600_000).advanced(by: .seconds(seconds))
        let line = converter.convert(
            Converter.Input(topicName: topic, payload: Array(payload.utf8), retained: false, arrival: arrival))
        guard let object = line.object else { return JSONObject() }
        if let reports = object["reports"]?.array, reports.count == 1 { return reports[0].object ?? object }
        return object
    }

    func ignored(_ payload: String, topic: String = "t/d/x") -> String? {
        self(payload, topic: topic)["ignored"]?.object?["reason"]?.string
    }

    /// `reason pointer`
    func rejected(_ payload: String, topic: String = "t/d/x") -> String? {
        guard let rejection = self(payload, topic: topic)["rejected"]?.object else { return nil }
        return "\(rejection["reason"]?.string ?? "") \(rejection["pointer"]?.string ?? "")"
    }
}

/// Compares numbers with a tolerance, all else exactly; `nil` is "not there, or null".
private func agree(_ found: JSONValue?, _ expected: JSONValue?) -> Bool {
    if let a = found?.number, let b = expected?.number { return abs(a - b) < 1e-9 }
    return (found ?? .null) == (expected ?? .null)
}

@Suite("A mapping")
struct MappingTests {
    @Test(
        "Numbers are brought into the report's units",
        arguments: [
            ("{speed: {from: /v, unit: km/h}}", "36", "speed", 10),
            ("{speed: {from: /v, unit: knots}}", "10", "speed", 5.144444444444445),
            ("{speed: {from: /v, unit: mph}}", "10", "speed", 4.4704),
            ("{speed: {from: /v, unit: cm/s}}", "150", "speed", 1.5),
            ("{speed: /v}", "\"2.5\"", "speed", 2.5), ("{speed: /v}", "-1", "speed", nil),
            ("{speed: /v}", "\"fast\"", "speed", nil),
            ("{speed: {from: /v, scale: 0.1}}", "25", "speed", 2.5), ("{speed: /v}", "1e308", "speed", 1e308),
            ("{speed: {from: /v, scale: 1000}}", "1e308", "speed", nil),
            ("{charge: {from: /v, unit: fraction}}", "0.56", "charge", 56),
            ("{charge: {from: /v, unit: fraction}}", "1", "charge", 100),
            ("{charge: {from: /v, unit: fraction}}", "1.01", "charge", nil), ("{charge: /v}", "100.5", "charge", nil),
            ("{charge: {from: /v, unknown: [101, 255]}}", "101", "charge", nil),
            ("{charge: {from: /v, unknown: None}}", "\"none\"", "charge", nil),
            ("{charge: {from: /v, trim: \"%\"}}", "\" 77 % \"", "charge", 77),
            ("{charge: {value: 50}}", "1", "charge", 50),
            ("{accuracy: {from: /v, unit: cm}}", "150", "accuracy", 1.5),
            ("{accuracy: {from: /v, unit: mm}}", "1216", "accuracy", 1.216),
            ("{altitude: {from: /v, unit: ft}}", "100", "altitude", 30.48),
            ("{altitude: {from: /v, bits: 16}}", "65535", "altitude", -1),
            ("{altitude: {from: /v, bits: 16}}", "32767", "altitude", 32767),
            ("{altitude: {from: /v, bits: 16}}", "65536", "altitude", 65536),
            ("{altitude: {from: /v, bits: 32, scale: 0.1}}", "4294967206", "altitude", -9),
            ("{altitude: {from: /v, bits: 16}}", "-5", "altitude", -5),
        ] as [(String, String, String, Double?)])
    func numbers(mapping: String, value: String, field: String, expected: Double?) throws {
        let report = try Reading(mapping)("{\"v\": \(value)}")
        #expect(report["ignored"] == nil && report["rejected"] == nil)
        #expect(agree(report[field], expected.map { .number($0) }), "\(report)")
    }

    @Test(
        "Directions become degrees clockwise from north",
        arguments: [
            ("", "90", 90), ("", "-90", 270), ("", "725", 5), ("zero: east", "0", 90), ("zero: east", "90", 0),
            ("zero: east", "-90", 180),
            ("zero: east, turns: clockwise", "90", 180), ("turns: anticlockwise", "90", 270),
            ("unit: radians", "3.14159265358979", 180),
            ("unit: radians, zero: east", "1.0471975511966", 30), ("unit: 1e-5 degrees", "9000000", 90),
            ("scale: 10", "27", 270),
            ("unit: quaternion", "{\"x\":0,\"y\":0,\"z\":0,\"w\":1}", 90),
            ("unit: quaternion", "[0,0,0.70710678,0.70710678]", 0),
            ("unit: quaternion, zero: north", "[0,0,0.70710678,0.70710678]", 90),
            ("unit: quaternion", "[0,0,0,0]", nil),
            ("unit: quaternion", "[0,0,1]", nil), ("unit: quaternion", "{\"z\":1,\"w\":1}", nil),
            ("unit: quaternion", "5", nil),
            ("unknown: -1", "-1", nil), ("", "\"north\"", nil), ("", "1e300", nil),
        ] as [(String, String, Double?)])
    func headings(options: String, value: String, expected: Double?) throws {
        let report = try Reading("{heading: {from: /v, \(options)}, state: {value: on}}")("{\"v\": \(value)}")
        let heading = report["heading"]?.number
        if let expected {
            #expect(
                heading.map { abs(($0 - expected).truncatingRemainder(dividingBy: 360)) < 1e-6 } ?? false, "\(report)")
        } else {
            #expect(heading == nil && report["state"] == "on")
        }
    }

    @Test(
        "Times are read in every usual spelling",
        arguments: [
            ("/t", "\"2026-11-29T12:00:00.250Z\"", "2026-11-29T12:00:00.250Z"),
            ("/t", "1795953600", "2026-11-29T12:00:00.000Z"),
            ("/t", "\"1795953600250\"", "2026-11-29T12:00:00.250Z"),
            ("{from: /t, unit: milliseconds}", "1795953600250", "2026-11-29T12:00:00.250Z"),
            ("{from: /t, unit: seconds}", "1795953600.25", "2026-11-29T12:00:00.250Z"),
            ("{from: /t, unit: microseconds}", "1795953600250000", "2026-11-29T12:00:00.250Z"),
            ("/t", "\"2026-11-29 13:00:00\"", "2026-11-29T12:00:00.000Z"), ("{from: /t, unknown: 0}", "0", nil),
            ("/t", "\"soon\"", nil),
            ("/t", "1e300", nil), ("{from: /t, unit: seconds}", "1e300", nil),
            ("{from: /t, unit: milliseconds}", "-5", nil), ("/t", "1072915236000", nil),
            ("[/none, /t]", "1795953600", "2026-11-29T12:00:00.000Z"), ("arrival", "1795953600", nil),
        ] as [(String, String, String?)])
    func times(time: String, value: String, expected: String?) throws {
        let report = try Reading("{time: \(time), state: {value: on}}", "timeZone: Europe/Copenhagen")(
            "{\"t\": \(value)}")
        #expect(report["time"]?.string == expected, "\(report)")
        #expect(report["state"] == "on")
    }

    @Test(
        "Texts are cut, trimmed and looked up",
        arguments: [
            ("{from: /v, split: \",\", part: 1}", "\"a, b ,c\"", "b"),
            ("{from: /v, split: \",\", part: -1}", "\"a,b,c\"", "c"),
            ("{from: /v, split: \",\", part: 3}", "\"a,b,c\"", nil),
            ("{from: /v, split: \"::\", part: 1}", "\"a::b\"", "b"),
            ("{from: /v, leadingZeros: drop}", "\"00423\"", "423"), ("{from: /v, leadingZeros: drop}", "\"000\"", "0"),
            ("{from: /v, lowercase: true}", "\"ÅBEN\"", "åben"), ("{from: /v, trim: \"<>\"}", "\" <x> \"", "x"),
            ("{from: /v, table: {A: up, b: down}}", "\"a\"", "up"), ("{from: /v, table: {A: up}}", "\"c\"", nil),
            ("{from: /v, table: {A: up}, else: other}", "\"c\"", "other"),
            ("{from: /v, table: {1: one, true: yes}}", "1", "one"),
            ("{from: /v, table: {1: one, true: yes}}", "true", "yes"), ("{from: /v, table: {1.5: x}}", "1.5", "x"),
            ("[{from: /v, table: {a: ~}}, {value: next}]", "\"a\"", "next"),
            ("[{from: /v, table: {a: x}, else: ~}, {value: next}]", "\"b\"", "next"),
            ("[/none, /v]", "\"x\"", "x"), ("{from: [/none, /v]}", "\"x\"", "x"), ("/v", "7", "7"), ("/v", "[]", nil),
            ("/v", "\"\"", nil),
            ("\"{device}-{-1}\"", "1", "d-x"), ("\"{0}/{/v}\"", "5", "t/5"), ("\"{source}\"", "1", "src"),
        ] as [(String, String, String?)])
    func texts(state: String, value: String, expected: String?) throws {
        let report = try Reading("{state: \(state), properties: {here: {value: true}}}")("{\"v\": \(value)}")
        #expect(report["state"]?.string == expected, "\(report)")
        #expect(report["properties"]?.object?["here"] == true)
    }

    @Test(
        "A value counts by the member that says so",
        arguments: [
            ("good: [1, true]", "1", true), ("good: [1, true]", "true", true), ("good: [1, true]", "\"1\"", true),
            ("good: [1, true]", "\"True\"", true),
            ("good: [1, true]", "0", false), ("good: [1, true]", "\"yes\"", false), ("good: [1, true]", "null", true),
            ("bad: 9999", "\" 9999.00\"", false),
            ("bad: 9999", "3", true), ("bad: [V, N]", "\"v\"", false), ("good: A", "[]", false),
        ])
    func validity(rule: String, flag: String, counts: Bool) throws {
        let one = try Reading("{speed: {from: /s, validity: {pointer: /f, \(rule)}}, state: {value: on}}")(
            "{\"s\": 1, \"f\": \(flag)}")
        #expect((one["speed"] != nil && one["speed"] != .null) == counts, "\(one)")
        let fix = "position: {lat: /a, lon: /b}, speed: /s, charge: /c"
        let all = try Reading("{validity: {pointer: /f, \(rule)}, \(fix)}")(
            "{\"a\": 1, \"b\": 2, \"s\": 1, \"c\": 5, \"f\": \(flag)}")
        #expect((all["lat"] == 1) == counts && all["charge"] == 5)
        #expect((all["positionLost"] == true) == !counts && (all["speed"] == .null) == !counts)
        let setting = try Reading("{\(fix)}", "validity: {pointer: /f, \(rule)}")(
            "{\"a\": 1, \"b\": 2, \"s\": 1, \"c\": 5, \"f\": \(flag)}")
        #expect(setting == all)
    }

    @Test("The setting serves native telemetry, too")
    func nativeValidity() throws {
        let sources = try configuration(
            "sources: {a: {topics: [\"a/{device}/t\"], validity: {pointer: /fix/valid, good: [true]}}}"
        ).engine.sources
        let converter = Converter(sources)
        func read(_ payload: String) -> JSONObject? {
            let input = Converter.Input(
                topicName: "a/r/t", payload: Array(payload.utf8), retained: false,
                arrival: Timestamp(milliseconds: 1_795_953_600_000))
            return converter.convert(input).object?["reports"]?.array?.first?.object
        }
        #expect(read(#"{"lat": 1, "lon": 2, "fix": {"valid": true}}"#)?["lat"] == 1)
        let lost = try #require(read(#"{"lat": 3, "lon": 2, "speed": 1, "charge": 5, "fix": {"valid": false}}"#))
        #expect(lost["positionLost"] == true && lost["lat"] == nil && lost["charge"] == 5 && lost["speed"] == .null)
    }

    @Test("null says nothing, unless it is listed")
    func null() throws {
        let mapping = "position: {lat: /a, lon: /b%}, charge: /c, state: {value: on}"
        let silent = try Reading("{\(mapping.replacing("%", with: ""))}")(#"{"a": null, "b": null, "c": null}"#)
        #expect(silent["positionLost"] == nil && silent["charge"] == nil && silent["state"] == "on")
        let lost = try Reading("{\(mapping.replacing("%", with: ", unknown: ~"))}")(
            #"{"a": null, "b": null, "c": null}"#)
        #expect(lost["positionLost"] == true)
    }

    @Test(
        "A position is whole, a place, and on Earth",
        arguments: [
            (#"{"a": 1}"#, "missing-position /b"), (#"{"b": 1, "a": null}"#, "missing-position /a"),
            (#"{"a": 91, "b": 0}"#, "position-out-of-range /a"),
            (#"{"a": true, "b": 0}"#, "position-not-a-number /a"),
            (#"{"a": 1, "b": "1,5"}"#, "position-not-a-number /b"), (#"{"a": 0, "b": 0}"#, "no-fix "),
            ("7", "not-an-object "), ("[]", "empty-batch "), (#"[{"a": 1, "b": 2}, 3]"#, "not-an-object /1"),
            ("{", "invalid-json "),
            (#"[{"a": 1}]"#, "missing-position /0/b"),
        ])
    func position(payload: String, rejection: String) throws {
        #expect(try Reading("{position: {lat: /a, lon: /b}}").rejected(payload) == rejection)
    }

    @Test("Coordinates have units, and what holds for both is said once")
    func coordinates() throws {
        let degrees = try Reading("{position: {lat: /a, lon: /b, unit: 1e-7 degrees}}")(
            #"{"a": 570582502, "b": "99504788"}"#)
        #expect(degrees["lat"] == 57.0582502 && degrees["lon"] == 9.9504788)
        let plan = try Reading("{position: {x: /p/0, y: {from: /p/1, unit: cm}, map: /m, unit: mm, trim: \"'\"}}")(
            #"{"p": [" '1216'", -150], "m": 3}"#)
        #expect(plan["x"] == 1.216 && plan["y"] == -1.5 && plan["map"] == "3")
        let zero = try Reading("{position: {x: /a, y: /b}}")(#"{"a": 0, "b": 0}"#)
        #expect(zero["x"] == 0 && zero["y"] == 0)
        #expect(try Reading("{position: unknown}")("{}")["positionLost"] == true)
        let island = try Reading("{position: {lat: /a, lon: /b}, charge: /c}")(#"{"a": 0, "b": 0, "c": 5}"#)
        #expect(island["positionLost"] == true && island["charge"] == 5)
    }

    @Test("The id is what the mapping says, else the topic's device, else the source")
    func identity() throws {
        #expect(try Reading("{state: /s}")(#"{"s": "on"}"#)["id"] == "d")
        #expect(try Reading("{state: /s}", topics: "[a]")(#"{"s": "on"}"#, topic: "a")["id"] == "src")
        #expect(try Reading("{state: /s}", "device: cart", topics: "[a]")(#"{"s": "on"}"#, topic: "a")["id"] == "cart")
        let said = try Reading("{id: /id, state: /s}")
        #expect(said(#"{"id": 9007199254740993, "s": "on"}"#)["id"] == "9007199254740993")
        #expect(said(#"{"id": 5, "s": "on"}"#)["id"] == "5")
        for bad in ["{}", #"{"id": null}"#, #"{"id": ""}"#, #"{"id": []}"#, #"{"id": true}"#, #"{"id": "a\u0000"}"#] {
            #expect(said.rejected(bad) == "bad-device-id /id", "\(bad)")
        }
        let joined = try Reading("{id: {from: \"{/maker}/{device}\", leadingZeros: drop}, state: {value: on}}")
        #expect(joined(#"{"maker": "0007"}"#, topic: "t/00/x")["id"] == "7/0")
    }

    @Test("Each message is read by the first kind that it fits")
    func kinds() throws {
        let reading = try Reading(
            """
            {time: /t, messages: [{topic: cmd, ignore: command, alive: false}, {topic: raw, ignore: binary},
              {topic: b, charge: /c}, {when: {/k: [1, one], /l: x}, state: {value: first}},
              {has: [/a, /b], state: {value: second}},
              {topic: "{room}/z", properties: {room: "{room}"}}, {topic: "y/#", has: /q, ignore: other-topic}]}
            """)
        #expect(reading("\u{1}", topic: "t/d/cmd")["ignored"] == ["reason": "command"])
        #expect(reading("\u{1}", topic: "t/d/raw")["ignored"] == ["reason": "binary", "id": "d"])
        #expect(reading(#"{"c": 5, "t": 1795953600}"#, topic: "t/d/b")["charge"] == 5)
        #expect(reading(#"{"k": "1", "l": "X"}"#)["state"] == "first")
        #expect(reading(#"{"k": 1}"#, topic: "t/d/kitchen/z")["properties"] == ["room": "kitchen"])
        #expect(reading(#"{"a": 1, "b": 0, "k": 1}"#)["state"] == "second")
        #expect(reading.ignored(#"{"a": 1, "b": null}"#) == "nothing-for-us")
        #expect(reading(#"{"q": 1}"#, topic: "t/d/y")["ignored"] == ["reason": "other-topic", "id": "d"])
        #expect(try Reading("{messages: [{topic: b, charge: /c}]}").ignored("", topic: "t/d/x") == "other-topic")
        #expect(try Reading("{charge: /c}").ignored("{}") == "nothing-known")
    }

    @Test("Lists and members are read one by one")
    func batches() throws {
        let list = try Reading("{in: [/a/list, \"\"], id: /id, time: \"#/t\", charge: /c}")
        let two = list(#"{"t": 1795953600, "a": {"list": [{"id": 1, "c": 1}, {"c": 2}, {"id": 3, "c": 3}]}}"#)
        #expect(two["reports"]?.array?.map { $0.object?["id"] } == ["1", "3"])
        #expect(two["reports"]?.array?.first?.object?["time"] == "2026-11-29T12:00:00.000Z")
        #expect(list.rejected(#"{"a": {"list": [{"c": 2}]}}"#) == "bad-device-id /a/list/0/id")
        #expect(list.rejected(#"{"a": {"list": []}}"#) == "empty-batch /a/list")
        #expect(list.rejected(#"{"a": {"list": [1]}}"#) == "not-an-object /a/list/0")
        #expect(list.rejected(#"{"a": {"list": "x"}}"#) == "not-an-object /a/list")
        #expect(list(#"{"id": 4, "c": 4}"#)["id"] == "4")
        let members = try Reading("{in: /tags/*, id: \"{key}\", position: {x: /p/0, y: /p/1}}")
        let tags = members(#"{"tags": {"a/b": {"p": [1, 2]}, "c": {"p": [1]}}}"#)
        #expect(tags["id"] == "a/b" && tags["y"] == 2)
        #expect(members.rejected(#"{"tags": {"c/~": {"p": [1]}}}"#) == "missing-position /tags/c~1~0/p/1")
        #expect(members.rejected(#"{"tags": {"c": 5}}"#) == "not-an-object /tags/c")
        #expect(members.rejected(#"{"tags": 5}"#) == "not-an-object /tags")
        #expect(try Reading("{in: /x, charge: /c}").ignored("{}") == "nothing-known")
    }

    @Test("Two halves of a position make one when both are new")
    func pairs() throws {
        let reading = try Reading(
            """
            {payload: text, messages: [{topic: lat, position: {lat: "", paired: true}},
              {topic: lon, position: {lon: "", paired: true}}, {topic: c, charge: ""}]}
            """
        )
        #expect(reading("57.05", topic: "t/d/lat")["ignored"] == ["reason": "half-a-position", "id": "d"])
        #expect(reading("10", topic: "t/e/lon")["ignored"] == ["reason": "half-a-position", "id": "e"])
        #expect(reading("80", topic: "t/d/c")["charge"] == 80)
        let whole = reading("9.95", topic: "t/d/lon")
        #expect(whole["lat"] == 57.05 && whole["lon"] == 9.95)
        #expect(reading.ignored("9.96", topic: "t/d/lon") == "half-a-position")
        #expect(reading.ignored("9.97", topic: "t/d/lon") == "half-a-position")
        #expect(reading("57.06", topic: "t/d/lat")["lon"] == 9.97)
        #expect(reading.rejected("north", topic: "t/d/lat") == "position-not-a-number ")
        #expect(reading.ignored("9.98", topic: "t/d/lon") == "half-a-position")
        #expect(reading.rejected("157", topic: "t/d/lat") == "position-out-of-range ")
    }

    @Test("The nearest sender counts until it is silent for too long")
    func nearest() throws {
        let reading = try Reading("{nearest: {by: /d, within: 30s, properties: {room: \"{-1}\"}}, charge: /c}")
        func room(_ room: String, _ distance: String, after seconds: Int) -> JSONValue? {
            reading("{\"d\": \(distance), \"c\": 5}", topic: "t/d/\(room)", after: seconds)["properties"]?.object?[
                "room"]
        }
        #expect(room("hall", "2", after: 0) == "hall")
        #expect(room("bath", "8", after: 1) == "hall")
        #expect(room("bath", "1", after: 2) == "bath")
        #expect(room("bath", "9", after: 3) == "hall")
        #expect(room("bath", "9", after: 30) == "hall")
        #expect(room("bath", "9", after: 31) == "bath")
        #expect(room("bath", "\"far\"", after: 32) == nil)
        for index in 0..<200 { _ = room("r\(index)", "\(5 + index)", after: 33) }
        #expect(room("hall", "1", after: 34) == "hall")
    }

    @Test("Who is connected, a word, a table or a constant tells")
    func connection() throws {
        let word = try Reading("{payload: text, connection: \"\"}")
        #expect(word("Online")["connection"] == "online")
        #expect(word("OFFLINE")["connection"] == "offline")
        #expect(word.rejected("gone") == "bad-connection ")
        #expect(try Reading("{connection: /s}").rejected(#"{"s": 1}"#) == "bad-connection /s")
        #expect(
            try Reading("{connection: {from: /s, table: {absent: offline}, else: online}}")(#"{"s": "absent"}"#)[
                "connection"] == "offline")
        #expect(try Reading("{connection: offline, time: arrival}")("{}")["connection"] == "offline")
        #expect(try Reading("{connection: /s, charge: /c}")(#"{"c": 5}"#)["connection"] == nil)
    }

    @Test("Zero length removes the device of the topic that says where it is")
    func withdrawal() throws {
        let reading = try Reading(
            "{messages: [{topic: b, charge: /c}, {topic: p, position: {x: /x, y: /y}}, {topic: q, state: /s}]}")
        #expect(reading.ignored("", topic: "t/d/p") == "withdrawn")
        #expect(reading.ignored("", topic: "t/d/b") == "empty")
        #expect(try Reading("{id: /id, position: {x: /x, y: /y}}").ignored("") == "empty")
        #expect(try Reading("{state: /s}").ignored("") == "withdrawn")
    }

    @Test("Topics are streams of their own: times are compared within one")
    func streams() throws {
        let reading = try Reading(
            """
            {time: /t, messages: [{topic: a, charge: /c}, {topic: b, when: {/k: 1}, state: {value: one}},
              {topic: b, state: {value: two}}]}
            """
        )
        #expect(reading(#"{"t": 1795953600, "c": 5}"#, topic: "t/d/a")["charge"] == 5)
        #expect(reading(#"{"t": 1795953500, "k": 1}"#, topic: "t/d/b")["state"] == "one")
        #expect(reading.ignored(#"{"t": 1795953400}"#, topic: "t/d/b") == "late")
    }

    @Test("Properties are any JSON; what is unknown is taken back, what is missing is not touched")
    func properties() throws {
        let reading = try Reading("{properties: {a: /a, b: {from: /b, unknown: 0}, c: {from: /c, table: {x: 1}}}}")
        #expect(reading(#"{"a": [1], "b": 0, "c": "y"}"#)["properties"] == ["a": [1], "b": nil, "c": nil])
        #expect(reading(#"{"c": "X"}"#)["properties"] == ["c": 1])
    }
}
