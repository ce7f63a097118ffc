import JSON
import MQTTModel
import Timestamps

/// One GeoJSON Feature a message (RFC 7946): longitude before latitude; without a place the geometry is null (§3.2).
struct GeoJSONFormat: DeviceFormat {
    let device: DeviceIdentity

    func telemetry(_ reading: Reading, sequence: Int, at time: Timestamp) -> [Message] {
        var properties: JSONObject = [
            "name": .string(device.name), "timestamp": .string(time.iso8601),
            "speed": .rounded(reading.motion.speed, 2),
        ]
        if let heading = reading.motion.heading { properties["heading"] = .rounded(heading, 1) }
        if let accuracy = reading.motion.accuracy { properties["accuracy"] = .rounded(accuracy, 2) }
        if let charge = reading.charge { properties["charge"] = .rounded(charge, 0) }
        if let state = reading.state { properties["state"] = .string(state) }
        let geometry: JSONValue? = reading.motion.position.map { position in
            [
                "type": "Point",
                "coordinates": [.rounded(position.longitude, 7), .rounded(position.latitude, 7)],
            ]
        }
        let feature: JSONValue = [
            "type": "Feature", "id": .string(device.id), "geometry": geometry ?? .null,
            "properties": .object(properties),
        ]
        return [Message("\(device.source)/\(device.id)", feature, qos: .atLeastOnce)]
    }
}
