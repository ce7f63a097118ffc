import DisplayRules
import Geometry
import JSON
import Locations
import Testing
import Timestamps

struct StyledStateReadingTests {
    static let now = Timestamp(milliseconds: 1_000)

    @Test("What is written is read back")
    func roundTrip() throws {
        let text =
            #"{"id":"vacuum3","source":"vacuums","type":"robot-vacuum","name":"Vacuum 3","building":"B","floor":10,"position":{"lat":57.0582502,"lon":9.9504788},"heading":123.5,"speed":0.3,"accuracy":0.4,"altitude":3,"charge":72,"time":"2026-11-29T12:00:00.250Z","positionTime":"2026-11-29T11:00:00.000Z","status":"stale","statusReason":"silent","statusSince":"2026-11-29T11:58:02.000Z","properties":{"state":"cleaning"},"display":{}}"#
        let location = try Location(styledState: JSONParser().parse(text), now: Self.now)
        var writer = JSONWriter()
        StyledState(location: location, display: Display()).write(to: &writer)
        #expect(String(decoding: writer.bytes, as: UTF8.self) == text)
    }

    @Test("A lost location is read with its last position")
    func lost() throws {
        let text =
            #"{"id":"a","source":"b","name":"a","position":null,"charge":null,"time":"2026-11-29T12:00:00.250Z","lastPosition":{"lat":57,"lon":9,"floor":10,"time":"2026-11-29T11:00:00.000Z"},"status":"lost","statusReason":"no-fix","statusSince":"2026-11-29T11:58:02.000Z","display":{}}"#
        let location = try Location(styledState: JSONParser().parse(text), now: Self.now)
        var writer = JSONWriter()
        StyledState(location: location, display: Display()).write(to: &writer)
        #expect(String(decoding: writer.bytes, as: UTF8.self) == text)
    }

    @Test("Fields alone are enough; what is not there has a default")
    func fields() throws {
        let location = try Location(styledState: ["lat": 57, "lon": 9, "charge": 20], now: Self.now)
        #expect(location.position == Position(latitude: 57, longitude: 9))
        #expect(location.charge == 20)
        #expect(location.id == "location" && location.source == "default")
        #expect(location.time == Self.now && location.status == .live)
    }

    @Test(
        "What is not as it should be is said with its place",
        arguments: [
            ([1], []), (["charge": "20"], ["charge"]), (["charge": 101], ["charge"]), (["floor": 1.5], ["floor"]),
            (["lat": 57], ["lon"]), (["position": ["lat": 91, "lon": 0]], ["position"]),
            (["position": ["lat": 1, "lng": 0]], ["position", "lng"]), (["status": "gone"], ["status"]),
            (["time": "noon"], ["time"]), (["batery": 3], ["batery"]), (["properties": []], ["properties"]),
            (["lastPosition": [:]], ["lastPosition"]),
        ] as [(JSONValue, [String])])
    func faults(json: JSONValue, path: [String]) {
        let fault = #expect(throws: LocationFault.self) { try Location(styledState: json, now: Self.now) }
        #expect(fault?.path == path)
    }
}
