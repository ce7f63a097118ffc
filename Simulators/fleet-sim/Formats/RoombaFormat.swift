import Foundation
import JSON
import MQTTModel
import Randomness
import Timestamps

/// iRobot Roomba 900 series, firmware 2: the shadow updates of its local MQTT, as a relay brings them to a broker.
///
/// The first message after a connect tells everything, the others what has changed, or else how strong the signal is. A pose is
/// whole centimetres from the dock and whole degrees anticlockwise from x. The robot has no will and says no goodbye.
struct RoombaFormat: DeviceFormat {
    private let blid: String
    private let name: String
    private let plan: LocalPlan
    /// What was told last, member by member; `nil` before the first message of a connection.
    private var told: JSONObject?

    init(device: DeviceIdentity) {
        blid = StableHash.digits(of: "\(device.source)/\(device.id)", count: 16)
        name = device.name
        plan = LocalPlan(name: "", origin: device.dock ?? Fleet.base)
    }

    mutating func greeting(at time: Timestamp) -> [Message] {
        told = nil
        return []
    }

    mutating func telemetry(_ reading: Reading, sequence: Int, at time: Timestamp) -> [Message] {
        var current = JSONObject([("cleanMissionStatus", Self.mission(reading.state))])
        if let charge = reading.charge { current["batPct"] = .rounded(charge, 0) }
        if let pose = pose(reading) { current["pose"] = pose }
        let signal: JSONObject = ["signal": ["rssi": .number(Double(-40 - sequence % 7)), "snr": 45]]
        let changes: JSONObject
        if let told {
            let new = current.members.filter { told[$0.key] != $0.value }
            changes = new.isEmpty ? signal : JSONObject(new.map { ($0.key, $0.value) })
        } else {
            changes = JSONObject(
                (current.members + constant(at: time).members + signal.members).map { ($0.key, $0.value) })
        }
        var known = told ?? JSONObject()
        for member in current.members { known[member.key] = member.value }
        told = known
        return [
            Message("$aws/things/\(blid)/shadow/update", ["state": ["reported": .object(changes)]], qos: .atMostOnce)
        ]
    }

    private func pose(_ reading: Reading) -> JSONValue? {
        guard let position = reading.motion.position else { return nil }
        let (x, y) = plan.point(position)
        let theta = LocalPlan.angle(heading: reading.motion.heading ?? 90)
        return ["theta": .rounded(theta, 0), "point": ["x": .rounded(x * 100, 0), "y": .rounded(y * 100, 0)]]
    }

    /// A mission that is interrupted for charging goes on until the robot is full and rests.
    private static func mission(_ state: String?) -> JSONValue {
        let (cycle, phase) =
            switch state {
            case "cleaning", "moving": ("clean", "run")
            case "returning": ("clean", "hmMidMsn")
            case "charging": ("clean", "recharge")
            case nil: ("none", "stop")
            default: ("none", "charge")
            }
        return [
            "cycle": .string(cycle), "phase": .string(phase), "expireM": 0, "rechrgM": 0, "error": 0, "notReady": 0,
            "mssnM": 0, "sqft": 0, "initiator": "schedule", "nMssn": 1,
        ]
    }

    /// What only a full state has.
    private func constant(at time: Timestamp) -> JSONObject {
        [
            "name": .string(name), "sku": "R980040", "softwareVer": "v2.0.0-34",
            "bin": ["present": true, "full": false],
            "dock": ["known": true], "cap": ["pose": 1, "ota": 2, "multiPass": 2],
            "utctime": .number(time.seconds), "batteryType": "lith",
        ]
    }
}
