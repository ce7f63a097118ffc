import Foundation
import Geometry
import JSON
import MQTTModel
import MotionModels
import Timestamps

@testable import fleet_sim

/// Devices and readings that are the same in every test.
enum DeviceScript {
    static let noon = Timestamp(milliseconds: 1_796_040_000_250)  // 2026-11-30T12:00:00.250Z
    static let plan = LocalPlan(name: "hall-1", origin: Fleet.base)

    static func device(_ id: String = "vacuum3", of source: String = "vacuums") -> DeviceIdentity {
        DeviceIdentity(
            source: source, id: id, name: "Vacuum \"3\"", type: "robot-vacuum", building: "Stigsborgvej", floor: 30,
            dock: place(east: 2, north: 1))
    }

    /// Metres from the fleet's base.
    static func place(east: Double, north: Double) -> Position? {
        let bearing = atan2(east, north) * 180 / Double.pi
        return Fleet.base.destination(distance: hypot(east, north), bearing: bearing)
    }

    static func reading(
        east: Double, north: Double, heading: Double? = 90, speed: Double = 0.5, accuracy: Double = 0.4,
        charge: Double = 71.6, state: String = "cleaning"
    ) -> Reading {
        Reading(
            motion: MotionState(
                position: place(east: east, north: north), heading: heading, speed: speed, accuracy: accuracy),
            charge: charge, state: state)
    }

    static let lost = Reading(
        motion: MotionState(position: nil, heading: 12, speed: 0, accuracy: nil), charge: 50, state: "moving")

    static func format(_ name: String) throws -> SimulatedFormat {
        guard let format = SimulatedFormat.all.first(where: { $0.name == name }) else { throw Unknown(name: name) }
        return format
    }

    private struct Unknown: Error { var name: String }
}

extension Message {
    /// The payload as text.
    var payloadText: String { String(decoding: payload, as: UTF8.self) }

    var json: JSONObject { get throws { try JSONParser().parse(payload).object ?? JSONObject() } }

    var lastLevel: String { String(topicName.split(separator: "/").last ?? "") }
}
