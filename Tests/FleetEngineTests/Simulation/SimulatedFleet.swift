import Randomness
import Timestamps

/// Devices of every kind, and what they say. The oracle sees none of this, only messages.
struct SimulatedFleet {
    struct Device {
        let source: String
        let id: String
        /// Whether reports have a time, one of whole seconds, a number, and every field, and stay at the broker.
        let tellsTime, tellsSeconds, tellsSequence, saysAll, isStored: Bool
        /// How wrong its clock is.
        var clockError: Duration
        var reports = 0

        func topicName(_ kind: String) -> String { "fleet/\(source)/\(id)/\(kind)" }
    }

    static let sources = ["robots", "tags"]

    private(set) var devices: [Device]

    init(_ random: inout SeededRandom) {
        // Some ids do not stand in a topic as they are.
        let ids = (0..<11).map { ("robots", "r\($0)") } + ["50%", "status", "geojson"].map { ("robots", $0) }
        devices = []
        for (source, id) in ids + (0..<6).map({ ("tags", "t\($0)") }) {
            devices.append(
                Device(
                    source: source, id: id, tellsTime: !random.isOneOf(6), tellsSeconds: random.isOneOf(3),
                    tellsSequence: Bool.random(using: &random), saysAll: random.isOneOf(3),
                    isStored: random.isOneOf(4),
                    clockError: .seconds([0, 0, 0, 20, -7_200].randomElement(using: &random) ?? 0)))
        }
    }

    /// The device's clock is set back, and stays so.
    mutating func setClockBack(of index: Int, by duration: Duration) { devices[index].clockError -= duration }

    /// What a device says next.
    mutating func report(of index: Int, at now: Instant, _ random: inout SeededRandom) -> String {
        devices[index].reports += 1
        let device = devices[index]
        var fields = [#""n":\#(device.reports)"#]
        if device.tellsSequence { fields.append(#""seq":\#(device.reports)"#) }
        if device.tellsTime {
            // Devices know nothing of a clock of the bridge that is set.
            let elapsed = now.monotonic - ScriptedBroker.start.monotonic
            var time = ScriptedBroker.start.wall.advanced(by: elapsed + device.clockError)
            if device.tellsSeconds { time.microseconds -= time.microseconds % 1_000_000 }
            fields.append(#""ts":"\#(random.isOneOf(60) ? "1970-01-01T00:00:05Z" : time.iso8601)""#)
        }
        if device.saysAll || !random.isOneOf(3) {
            switch random.isOneOf(15) ? Int.random(in: 0..<2, using: &random) : 2 {
            case 0: fields.append(#""position":null"#)
            case 1: fields.append(#""lat":0,"lon":0"#)
            default:
                fields.append(#""lat":\#(50 + Double(device.reports) / 1_000),"lon":\#(Double(index) / 8)"#)
            }
        }
        if device.saysAll || !random.isOneOf(3) {
            let unknown =
                ["null", #""NaN""#, #""1e999""#, "-1", "100.5", "true", "[]"].randomElement(using: &random) ?? ""
            fields.append(#""charge":\#(random.isOneOf(10) ? unknown : "\(device.reports % 101)")"#)
        }
        if random.isOneOf(3) {
            fields.append(
                #""state":\#([#""cleaning""#, #""docked""#, "null"].randomElement(using: &random) ?? "null")"#)
        }
        if random.isOneOf(4) {
            fields.append(#""load":\#(["null", "[1,2]", #"{"kg":1.5}"#, "1e300"].randomElement(using: &random) ?? "")"#)
        }
        return "{\(fields.joined(separator: ","))}"
    }

    /// What no bridge can use.
    static func garbage(_ random: inout SeededRandom) -> String {
        [
            "{", "null", "[]", "{}", #"{"lat":91,"lon":0}"#, #"{"lat":"NaN","lon":9,"n":0}"#, "\u{FF}",
            #"{"lat":1e999,"lon":9}"#, #"{"lat":NaN,"lon":9}"#, #"{"lat":57,"lon":-1e308}"#, #"{"lat":57,"n":0}"#,
            #"{"lat":true,"lon":false}"#, #"{"n":1,"n":2}"#,
        ].randomElement(using: &random) ?? "{"
    }
}

extension SeededRandom {
    /// Yes once in so many times.
    mutating func isOneOf(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }
}
