import JSON
import MQTTModel
import Timestamps

/// One telemetry message as the documentation of native telemetry reads it.
struct OracleReport {
    enum Reading<Value> {
        case absent, unknown
        case value(Value)
    }

    let position: Reading<OracleDevice.Position>
    let charge: Reading<Double>
    /// `null`: unknown from now on.
    let properties: [String: JSONValue]
    let time: Timestamp?
    let sequence: Double?
    let retained: Bool
    let payload: [UInt8]

    /// `nil` for a message that is rejected.
    init?(_ message: Message, _ parser: JSONParser) {
        guard let said = (try? parser.parse(message.payload))?.object, !said.isEmpty else { return nil }
        guard let position = Self.position(of: said) else { return nil }
        self.position = position
        charge =
            switch said["charge"] {
            case nil: .absent
            case .number(let number)? where 0...100 ~= number: .value(number)
            default: .unknown
            }
        let known = ["lat", "lon", "position", "charge", "ts", "seq"]
        properties = Dictionary(
            said.members.filter { !known.contains($0.key) }.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
        time = said["ts"]?.string.flatMap { Timestamp(iso8601: $0) }
        sequence = said["seq"]?.number
        (retained, payload) = (message.retain, message.payload)
    }

    /// `nil`: no position can be like that.
    private static func position(of said: JSONObject) -> Reading<OracleDevice.Position>? {
        if said["position"]?.isNull == true { return .unknown }
        if said["lat"] == nil, said["lon"] == nil { return .absent }
        guard case .number(let latitude)? = said["lat"], case .number(let longitude)? = said["lon"],
            abs(latitude) <= 90, abs(longitude) <= 180
        else { return nil }
        return (latitude, longitude) == (0, 0)
            ? .unknown : .value(OracleDevice.Position(latitude: latitude, longitude: longitude))
    }

    /// The device's own time, where its clock can be right.
    func usableTime(at now: Instant) -> Timestamp? {
        guard let time, time >= Timestamp(iso8601: "2010-01-01T00:00:00Z")!,
            time <= now.wall.advanced(by: Oracle.futureTolerance)
        else { return nil }
        return time
    }
}
