internal import JSON
internal import Locations

/// What a mapped format remembers of its devices; bounded.
struct MappingMemory {
    /// Senders of one device at most; of more, those that were heard last are kept.
    private static let sendersAtMost = 64

    /// Devices at most.
    let limit: Int
    private var devices: [Identifier: Device] = [:]

    init(limit: Int) { self.limit = limit }

    private struct Device {
        /// Halves of a position that have come since the last whole one.
        var first: Coordinates.Half?
        var second: Coordinates.Half?
        var senders: [Sender] = []
    }

    private struct Sender {
        let topic: [String]
        let distance: Double
        let properties: JSONObject
        let arrival: Duration
    }

    private mutating func update<Result>(_ id: Identifier, _ change: (inout Device) -> Result) -> Result {
        var device = devices[id] ?? Device()
        let result = change(&device)
        if devices[id] != nil || devices.count < limit { devices[id] = device }
        return result
    }

    /// Keeps a half, or makes a whole of halves that both have come since the last whole one: old halves are no place.
    ///
    /// - Returns: `nil` where the other half is still to come.
    mutating func pair(_ coordinates: Coordinates, of id: Identifier) -> Coordinates? {
        update(id) { device in
            if !coordinates.first.isMissing { device.first = coordinates.first }
            if !coordinates.second.isMissing { device.second = coordinates.second }
            guard let first = device.first, let second = device.second else { return nil }
            (device.first, device.second) = (nil, nil)
            var whole = coordinates
            (whole.first, whole.second) = (first, second)
            return whole
        }
    }

    /// The properties of the sender that is nearest now.
    ///
    /// - Parameter distance: `nil` where the message tells none: its sender is not known to be near.
    mutating func nearest(
        _ id: Identifier, sender topic: [String], distance: Double?, _ properties: JSONObject, within: Duration,
        at now: Duration
    ) -> JSONObject? {
        update(id) { device in
            device.senders.removeAll { $0.topic == topic || now - $0.arrival > within }
            if let distance {
                if device.senders.count >= Self.sendersAtMost { device.senders.removeFirst() }
                device.senders.append(
                    Sender(topic: topic, distance: distance, properties: properties, arrival: now))
            }
            return device.senders.min { $0.distance < $1.distance }?.properties
        }
    }
}
