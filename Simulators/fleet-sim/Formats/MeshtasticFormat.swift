import JSON
import MQTTModel
import Randomness
import Timestamps

/// Meshtastic's JSON over MQTT, firmware 2.x: `msh/{region}/2/json/{channel}/!{gateway}`; each node is its own gateway.
///
/// Coordinates are 1e-7 degrees, the track 1e-5 degrees, the speed whole km/h. A node's name and battery come as packets of
/// their own. Nothing is retained, and there is no will.
struct MeshtasticFormat: DeviceFormat {
    private static let everybody = 4_294_967_295.0

    private let device: DeviceIdentity
    private let number: UInt32
    private var packet: UInt32
    private var toldCharge: Double?

    init(device: DeviceIdentity) {
        self.device = device
        let hash = StableHash.of("\(device.source)/\(device.id)")
        // Neither nobody nor everybody.
        number = UInt32(truncatingIfNeeded: hash) & 0x7FFF_FFFF | 0x1000_0000
        packet = UInt32(truncatingIfNeeded: hash >> 33)
    }

    private var id: String {
        let digits = String(number, radix: 16)
        return "!" + String(repeating: "0", count: 8 - digits.count) + digits
    }

    mutating func greeting(at time: Timestamp) -> [Message] {
        toldCharge = nil
        let user: JSONObject = [
            "hardware": 9, "id": .string(id), "longname": .string(device.name), "role": 5,
            "shortname": .string(String(device.id.suffix(4))),
        ]
        return [message("nodeinfo", user, at: time)]
    }

    mutating func telemetry(_ reading: Reading, sequence: Int, at time: Timestamp) -> [Message] {
        var messages: [Message] = []
        if let position = reading.motion.position {
            var payload: JSONObject = [
                "latitude_i": .number((position.latitude * 1e7).rounded()),
                "longitude_i": .number((position.longitude * 1e7).rounded()), "precision_bits": 32,
                "sats_in_view": 9, "time": .number(time.seconds),
            ]
            // Optional fields that are zero are left out.
            func add(_ key: String, _ value: Double) {
                if value.rounded() != 0 { payload[key] = .rounded(value, 0) }
            }
            add("ground_speed", reading.motion.speed * 3.6)
            add("ground_track", (reading.motion.heading ?? 0) * 1e5)
            messages.append(message("position", payload, at: time))
        }
        if let charge = reading.charge?.rounded(), charge != toldCharge {
            toldCharge = charge
            // 101: on external power.
            let payload: JSONObject = [
                "battery_level": .number(reading.isCharging ? 101 : charge),
                "voltage": .rounded(3.3 + charge * 0.009, 2),
                "uptime_seconds": .number(Double(sequence)),
            ]
            messages.append(message("telemetry", payload, at: time))
        }
        return messages
    }

    private mutating func message(_ type: String, _ payload: JSONObject, at time: Timestamp) -> Message {
        packet &+= 1
        let json: JSONValue = [
            "channel": 0, "from": .number(Double(number)), "id": .number(Double(packet)), "payload": .object(payload),
            "sender": .string(id), "timestamp": .number(time.seconds), "to": .number(Self.everybody),
            "type": .string(type),
        ]
        return Message("\(device.source)/EU_868/2/json/LongFast/\(id)", json, qos: .atMostOnce)
    }
}
