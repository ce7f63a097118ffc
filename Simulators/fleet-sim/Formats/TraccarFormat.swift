import JSON
import MQTTModel
import Randomness
import Timestamps

/// Traccar's position forwarding (`forward.type` `mqtt`, `forward.json`): position and device as its model has them, on one topic
/// for all devices.
///
/// Speed is knots. A message without a fix repeats the last one as `outdated`. Here each device forwards for itself.
struct TraccarFormat: DeviceFormat {
    private static let knotsPerMetreAndSecond = 3_600.0 / 1_852

    private let device: DeviceIdentity
    private let hash: UInt64
    private var lastFix: JSONObject = [
        "latitude": 0, "longitude": 0, "altitude": 0, "speed": 0, "course": 0, "accuracy": 0,
    ]
    private var fixTime = Timestamp(microseconds: 0)

    init(device: DeviceIdentity) {
        self.device = device
        hash = StableHash.of("\(device.source)/\(device.id)")
    }

    /// Fifteen digits, as an IMEI has.
    private var uniqueID: String {
        let digits = String(hash % 1_000_000_000_000_000)
        return String(repeating: "0", count: 15 - digits.count) + digits
    }

    mutating func telemetry(_ reading: Reading, sequence: Int, at time: Timestamp) -> [Message] {
        let hasFix = reading.motion.position != nil
        if let position = reading.motion.position {
            fixTime = time
            lastFix = [
                "latitude": .rounded(position.latitude, 7), "longitude": .rounded(position.longitude, 7),
                "altitude": 0, "speed": .rounded(reading.motion.speed * Self.knotsPerMetreAndSecond, 3),
                "course": .rounded(reading.motion.heading ?? 0, 1),
                "accuracy": .rounded(reading.motion.accuracy ?? 0, 1),
            ]
        }
        var attributes: JSONObject = ["motion": .bool(reading.motion.speed > 0)]
        if let charge = reading.charge { attributes["batteryLevel"] = .rounded(charge, 0) }
        let number = JSONValue.number(Double(hash % 10_000))
        var position: JSONObject = [
            "id": 0, "attributes": .object(attributes), "deviceId": number, "protocol": "osmand",
            "serverTime": Self.text(time), "deviceTime": Self.text(time), "fixTime": Self.text(fixTime),
            "outdated": .bool(!hasFix), "valid": .bool(hasFix),
        ]
        for member in lastFix.members { position[member.key] = member.value }
        for name in ["address", "network", "geofenceIds"] { position[name] = .null }
        let owner: JSONValue = [
            "id": number, "attributes": [:], "groupId": 0, "calendarId": 0, "name": .string(device.name),
            "uniqueId": .string(uniqueID), "status": "online", "lastUpdate": Self.text(time), "positionId": 0,
            "phone": .null, "model": .null, "contact": .null, "category": .null, "disabled": false,
            "expirationTime": .null,
        ]
        return [Message(device.source, ["position": .object(position), "device": owner], qos: .atLeastOnce)]
    }

    /// As Jackson writes dates: milliseconds and `+00:00`.
    private static func text(_ time: Timestamp) -> JSONValue { .string(time.iso8601.dropLast() + "+00:00") }
}
