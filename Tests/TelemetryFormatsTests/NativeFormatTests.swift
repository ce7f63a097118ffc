import Geometry
import JSON
import Locations
import TelemetryFormats
import Testing
import Timestamps

struct NativeFormatTests {
    private func report(_ payload: String, _ adjust: (inout SourceSettings) -> Void = { _ in }) throws -> Report {
        var decoding = Decoding(FormatTable.native, adjust)
        return try decoding.report("fleet/robots/r1/telemetry", payload)
    }

    private func rejection(_ payload: String, topic: String = "fleet/robots/r1/telemetry") -> String? {
        var decoding = Decoding(FormatTable.native)
        return decoding.rejection(topic, payload)
    }

    @Test(
        "Numbers may be decimal text with a point",
        arguments: [("57.5", 57.5), ("-3", -3), ("+0.5", 0.5), ("1.", 1), (".5", 0.5)])
    func decimalText(text: String, value: Double) throws {
        #expect(try report(#"{"altitude":"\#(text)"}"#).altitude == .value(value))
    }

    @Test(
        "Text that is no plain decimal number is unknown and counted, never 0",
        arguments: ["57,05", "72%", "", " 57", "57 ", "0x39", "nan", "inf", "1e5", "--1", "1.2.3", "٣"])
    func otherText(text: String) throws {
        let report = try report(#"{"charge":"\#(text)"}"#)
        #expect(report.charge == .unknown)
        #expect(report.faults == ["charge-not-a-number"])
    }

    @Test("Values of other types are unknown", arguments: ["true", "[1]", "{}"])
    func otherTypes(value: String) throws {
        #expect(try report(#"{"speed":\#(value)}"#).speed == .unknown)
    }

    @Test(
        "Charge outside of its scale is unknown",
        arguments: [(-1, nil), (0, 0), (1, 1), (100, 100), (100.1, nil), (255, nil)] as [(Double, Double?)])
    func charge(said: Double, charge: Double?) throws {
        #expect(try report(#"{"charge":\#(JSONNumber.text(of: said))}"#).charge.value == charge)
    }

    @Test(
        "The charge's scale is a setting, not a guess",
        arguments: [(0, 0), (0.79, 79), (1, 100), (1.01, nil)] as [(Double, Double?)])
    func chargeScale(said: Double, charge: Double?) throws {
        let report = try report(#"{"charge":\#(JSONNumber.text(of: said))}"#) { $0.chargeScale = 0...1 }
        #expect(report.charge.value.map { ($0 * 1e6).rounded() / 1e6 } == charge)
    }

    @Test(
        "Headings come to 0 ≤ h < 360",
        arguments: [(0, 0), (360, 0), (-90, 270), (725, 5), (359.5, 359.5), (-0.0, 0), (-1e-20, 0)]
            as [(Double, Double)])
    func heading(said: Double, heading: Double) throws {
        #expect(try report(#"{"heading":\#(JSONNumber.text(of: said))}"#).heading == .value(heading))
        #expect(Decoding.normalized(said) == heading)
    }

    @Test(
        "A position is taken as it is, and its faults reject the message",
        arguments: [
            (#"{"lat":90,"lon":180}"#, nil), (#"{"lat":-90,"lon":-180}"#, nil), (#"{"lat":"57.05","lon":"9.95"}"#, nil),
            (#"{"lat":0,"lon":9}"#, nil),
            (#"{"lat":90.1,"lon":9}"#, "position-out-of-range /lat"),
            (#"{"lat":9,"lon":180.1}"#, "position-out-of-range /lon"),
            (#"{"lat":57}"#, "missing-position /lon"), (#"{"lon":9,"charge":3}"#, "missing-position /lat"),
            (#"{"lat":null,"lon":9}"#, "missing-position /lat"),
            (#"{"lat":"57,05","lon":9}"#, "position-not-a-number /lat"),
            (#"{"lat":57,"lon":[9]}"#, "position-not-a-number /lon"), (#"{"x":1}"#, "missing-position /y"),
            (#"{"lat":0,"lon":0}"#, "no-fix"), (#"{"lat":0,"lon":0,"ts":1795953600}"#, "no-fix"),
            (#"{"position":{"lat":1,"lon":2}}"#, "position-not-a-number /position"),
        ] as [(String, String?)])
    func position(payload: String, rejected: String?) {
        #expect(rejection(payload) == rejected)
    }

    @Test("0,0 with other fields is no fix, unless the source says that it is a place")
    func nullIsland() throws {
        #expect(try report(#"{"lat":0,"lon":0,"charge":5}"#).position == .unknown)
        #expect(
            try report(#"{"lat":0,"lon":0}"#) { $0.acceptNullIsland = true }.position
                == .value(.geographic(Position(latitude: 0, longitude: 0)!)))
        #expect(try report(#"{"x":0,"y":0,"map":5}"#).position == .value(.plan(x: 0, y: 0, map: "5")))
        #expect(try report(#"{"x":0,"y":0,"map":"hall"}"#).position == .value(.plan(x: 0, y: 0, map: "hall")))
    }

    @Test(
        "What is no report is rejected with its reason",
        arguments: [
            ("{}", "empty-report"), ("[]", "empty-batch"), ("7", "not-an-object"), ("null", "not-an-object"),
            ("[1]", "not-an-object /0"),
            ("{", "invalid-json"), (#"{"a":1,"a":2}"#, "duplicate-key /a"),
            (#"[{"lat":95,"lon":1}]"#, "position-out-of-range /0/lat"),
            ("\u{1}", "invalid-json"), (#"{"lat":1e999,"lon":1}"#, "position-not-a-number /lat"),
            (#"{"x":0,"y":0,"map":""}"#, "unknown-map /map"), (#"{"x":0,"y":0,"map":["a"]}"#, "unknown-map /map"),
        ])
    func rejected(payload: String, reason: String) {
        #expect(rejection(payload) == reason)
    }

    @Test("A number that 64 bits do not hold makes its field unknown, and rejects the message only as a position")
    func largeNumbers() throws {
        let digits = String(repeating: "9", count: 30)
        let report = try report(
            #"{"charge":\#(digits),"altitude":1e999,"speed":-\#(digits),"seq":\#(digits),"ts":1e999,"serial":\#(digits)}"#
        )
        #expect(report.charge == .unknown && report.altitude == .unknown && report.speed == .unknown)
        #expect(
            report.faults == [
                "charge-out-of-range", "altitude-not-a-number", "speed-out-of-range", "seq-not-an-integer",
                "ts-unreadable",
            ])
        #expect(report.properties == ["serial": .string(digits)])
        #expect(rejection(#"{"lat":\#(digits),"lon":9}"#) == "position-out-of-range /lat")
        #expect(rejection(#"{"lat":57,"lon":-1e999}"#) == "position-not-a-number /lon")
    }

    @Test("The topic's device wins over the payload's id")
    func identity() throws {
        #expect(try report(#"{"id":"other","charge":1}"#).id == "r1")
        #expect(rejection(#"{"charge":1}"#, topic: "fleet/robots//telemetry") == "bad-device-id")
    }

    @Test(
        "Without a device in the topic the payload's id counts, then the source's own",
        arguments: [
            (#"{"id":"a","charge":1}"#, "a"), (#"{"id":7,"charge":1}"#, "7"),
            (#"{"id":9007199254740993,"charge":1}"#, "9007199254740993"), (#"{"charge":1}"#, "the-source"),
        ])
    func payloadIdentity(payload: String, id: String) throws {
        var decoding = Decoding(FormatTable.native)
        #expect(try decoding.report("elsewhere", payload).id == Identifier(id))
    }

    @Test(
        "Bad ids are rejected",
        arguments: [#"{"id":"","charge":1}"#, #"{"id":"a\u0000b","charge":1}"#, #"{"id":true,"charge":1}"#])
    func badIdentity(payload: String) {
        #expect(rejection(payload, topic: "elsewhere") == "bad-device-id /id")
    }

    @Test(
        "Times come in every spelling; what is none is counted",
        arguments: [
            (#""2026-11-29T13:00:00+01:00""#, 1_795_953_600_000), ("1795953600", 1_795_953_600_000),
            ("1795953600.25", 1_795_953_600_250),
            ("1795953600250", 1_795_953_600_250), (#""1795953600250""#, 1_795_953_600_250), (#""soon""#, nil),
            ("true", nil),
        ] as [(String, Int64?)])
    func times(ts: String, milliseconds: Int64?) throws {
        let report = try report(#"{"charge":1,"ts":\#(ts)}"#)
        #expect(report.time?.milliseconds == milliseconds)
        #expect(report.faults == (milliseconds == nil ? ["ts-unreadable"] : []))
    }

    @Test(
        "A time without a zone is the source's local time",
        arguments: [
            ("2026-07-01T12:00:00", "2026-07-01T10:00:00.000Z", nil),
            ("2026-12-01T12:00:00", "2026-12-01T11:00:00.000Z", nil),
            ("2026-10-25T02:30:00", "2026-10-25T00:30:00.000Z", "2026-10-25T01:30:00.000Z"),
            ("2026-03-29T02:30:00", "2026-03-29T01:30:00.000Z", nil),
            ("2026-07-01T12:00:00Z", "2026-07-01T12:00:00.000Z", nil),
        ] as [(String, String, String?)])
    func timeZone(ts: String, time: String, later: String?) throws {
        let report = try report(#"{"charge":1,"ts":"\#(ts)"}"#) { $0.timeZone = "Europe/Copenhagen" }
        #expect(report.time?.iso8601 == time)
        #expect(report.laterTime?.iso8601 == later)
    }

    @Test("null forgets; what has no field of its own is a property")
    func properties() throws {
        let report = try report(
            #"{"heading":null,"name":null,"state":"idle","charging":"True","bin":{"full":true},"x-y":null}"#)
        #expect(report.heading == .unknown)
        #expect(report.name == .unknown)
        #expect(report.state == .value("idle"))
        #expect(report.charging == .value(true))
        #expect(report.properties == JSONObject([("bin", ["full": true]), ("x-y", nil)]))
    }

    @Test(
        "Connection and source status are words, alone or in an object, in any case",
        arguments: ["online", "ONLINE", #""online""#, #"{"state":"Online"}"#])
    func connection(payload: String) throws {
        var decoding = Decoding(FormatTable.native)
        #expect(try decoding.report("fleet/robots/r1/connection", payload).connection == .online)
        #expect(try decoding.decode("fleet/robots/status", payload) == .sourceConnection(.online))
    }

    @Test("Other words are rejected", arguments: ["on", "1", "{}", #"{"state":true}"#, "{"])
    func badConnection(payload: String) {
        #expect(
            rejection(payload, topic: "fleet/robots/r1/connection")?.hasPrefix(
                payload == "on" || payload == "{" ? "invalid-json" : "bad-connection") == true)
    }

    @Test("Zero length withdraws on the device's topic only")
    func empty() throws {
        var decoding = Decoding(FormatTable.native)
        #expect(try decoding.decode("fleet/robots/r1/telemetry", "") == .withdrawn("r1"))
        #expect(try decoding.decode("fleet/robots/r1/connection", "") == .ignored(reason: "empty", id: nil))
        #expect(try decoding.decode("fleet/robots/status", "") == .ignored(reason: "empty", id: nil))
    }
}

extension Decoding {
    /// A heading as the native format reads it, without JSON in between.
    static func normalized(_ degrees: Double) -> Double? {
        var decoding = Decoding(FormatTable.native)
        return try? decoding.report("fleet/a/b/telemetry", #"{"heading":\#(degrees)}"#).heading.value
    }
}
