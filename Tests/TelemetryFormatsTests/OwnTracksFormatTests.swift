import JSON
import Locations
import TelemetryFormats
import Testing

struct OwnTracksFormatTests {
    private var decoding = Decoding(FormatTable.ownTracks)

    @Test("A will says offline, whatever its time")
    mutating func will() throws {
        let report = try decoding.report("owntracks/u/phone", #"{"_type":"lwt","tst":1388991216}"#)
        #expect(report.connection == .offline)
        #expect(report.isConnectionOnly)
    }

    @Test("A card's name wins over the tracker's two letters, in either order")
    mutating func cards() throws {
        #expect(
            try decoding.report("owntracks/u/phone", #"{"_type":"location","lat":1,"lon":2,"tid":"ax"}"#).name
                == .value("ax"))
        #expect(
            try decoding.report("owntracks/u/phone/info", #"{"_type":"card","name":"Ann","tid":"ax"}"#).name
                == .value("Ann"))
        #expect(
            try decoding.report("owntracks/u/phone", #"{"_type":"location","lat":1,"lon":2,"tid":"ax"}"#).name
                == .value("Ann"))
    }

    @Test("Old phones write numbers as text, also with a unit")
    mutating func text() throws {
        let report = try decoding.report(
            "owntracks/u/phone",
            #"{"_type":"location","lat":"51.5","lon":"-0.1","acc":"75m","tst":"1388991216","batt":"-1"}"#)
        #expect(report.accuracy == .value(75))
        #expect(report.time?.iso8601 == "2014-01-06T06:53:36.000Z")
        #expect(report.charge == .unknown)
        #expect(report.faults.isEmpty)
    }

    @Test("Minus one means unknown, and is no fault")
    mutating func minusOne() throws {
        let report = try decoding.report(
            "owntracks/u/phone", #"{"_type":"location","lat":1,"lon":2,"vel":-1,"cog":-1,"acc":-1,"batt":-1}"#)
        #expect(
            report.speed == .unknown && report.heading == .unknown && report.accuracy == .unknown
                && report.charge == .unknown)
        #expect(report.faults.isEmpty)
    }

    @Test("What belongs to the owner stays with the owner")
    mutating func privacy() throws {
        let report = try decoding.report(
            "owntracks/u/phone",
            #"{"_type":"location","lat":1,"lon":2,"SSID":"home","BSSID":"02:00","t":"p","inregions":["a"]}"#)
        #expect(report.properties == JSONObject([("regions", ["a"]), ("trigger", "p")]))
    }

    @Test("Greenwich trackers write CSV")
    mutating func csv() throws {
        let report = try decoding.report("owntracks/qtripp/1234", "X0,542A46AA,k,30365854,7759698,27,18,12,0,0")
        #expect(report.id == "qtripp/1234")
        guard case .value(.geographic(let position)) = report.position else {
            Issue.record("no position")
            return
        }
        #expect(abs(position.latitude - 30.365854) < 1e-9 && abs(position.longitude - 7.759698) < 1e-9)
        #expect(report.heading == .value(270))
        #expect(report.speed == .value(5))
        #expect(report.altitude == .value(120))
        #expect(report.time?.iso8601 == "2014-09-30T05:59:06.000Z")
        #expect(report.name == .value("X0"))
    }

    @Test("A list of messages counts each", arguments: [1, 3])
    mutating func list(count: Int) throws {
        let one = #"{"_type":"location","lat":1,"lon":2,"tst":1700000000}"#
        let decoded = try decoding.decode(
            "owntracks/u/phone", "[" + Array(repeating: one, count: count).joined(separator: ",") + "]")
        guard case .reports(let reports) = decoded else {
            Issue.record("no reports")
            return
        }
        #expect(reports.count == count)
    }

    @Test(
        "The device is the two levels before the suffix, whatever stands before",
        arguments: [
            ("owntracks/u/phone", "u/phone"), ("owntracks/u/phone/event", "u/phone"), ("/owntracks/u/phone", "u/phone"),
            ("site/a/owntracks/u/phone/info", "u/phone"),
        ])
    mutating func identity(topic: String, id: String) throws {
        #expect(try decoding.report(topic, #"{"_type":"card","name":"N"}"#).id == Identifier(id))
    }

    @Test(
        "What is nothing for us is ignored with its reason",
        arguments: [
            ("owntracks/u/phone/waypoint", #"{"_type":"waypoint","lat":1,"lon":2}"#, "waypoint", true),
            ("owntracks/u/phone/cmd", #"{"_type":"cmd"}"#, "command", false),
            ("owntracks/u/phone/beacon", #"{"_type":"beacon"}"#, "other-type", true),
            ("owntracks/u/phone/event", "", "empty", false),
        ])
    mutating func ignored(topic: String, payload: String, reason: String, isSignOfLife: Bool) throws {
        #expect(try decoding.decode(topic, payload) == .ignored(reason: reason, id: isSignOfLife ? "u/phone" : nil))
    }

    @Test(
        "What cannot be read is rejected with its reason",
        arguments: [
            (#"{"lat":1,"lon":2}"#, "missing-type /_type"), (#"{"_type":"location","lat":1}"#, "missing-position /lon"),
            (#"{"_type":"location","lat":95,"lon":2}"#, "position-out-of-range /lat"),
            (#"{"_type":"encrypted","data":"AAAA"}"#, "encrypted /data"),
            (#"{"_type":"location","lat":"51,5","lon":2}"#, "position-not-a-number /lat"),
            ("X0,zz,k,1,2,3,4,5", "invalid-json"), ("7", "not-an-object"), ("{", "invalid-json"),
        ])
    mutating func rejected(payload: String, reason: String) {
        #expect(decoding.rejection("owntracks/u/phone", payload) == reason)
    }
}
