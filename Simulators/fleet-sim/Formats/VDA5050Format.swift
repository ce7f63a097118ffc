import Foundation
import JSON
import MQTTModel
import Timestamps

/// VDA 5050 2.1.0: `uagv/v2/{manufacturer}/{serialNumber}/…`.
///
/// `visualization` comes with every reading, `state` when something changes that the specification counts as an event, and at
/// least every 30 s; both at QoS 0. `connection` is retained at QoS 1 and also the will, `factsheet` is retained. Poses are
/// metres and radians on the plan of the whole fleet.
struct VDA5050Format: DeviceFormat {
    private static let version = "2.1.0"
    /// §6.10: the state is published at the latest after so long.
    private static let longestSilence = Duration.seconds(30)

    private enum Topic: String { case state, visualization, connection, factsheet }

    /// What makes a new state due at once.
    private struct Condition: Equatable {
        var isDriving: Bool
        var isCharging: Bool
        var isLocalized: Bool
    }

    private let device: DeviceIdentity
    private let plan: LocalPlan
    /// Counts the messages of each topic.
    private var headers: [Topic: Int] = [:]
    private var condition: Condition?
    private var lastState: Timestamp?

    init(device: DeviceIdentity, plan: LocalPlan) {
        self.device = device
        self.plan = plan
    }

    // MARK: Connection

    mutating func will(at time: Timestamp) -> Message? { connection("CONNECTIONBROKEN", at: time) }

    mutating func greeting(at time: Timestamp) -> [Message] {
        (condition, lastState) = (nil, nil)
        return [connection("ONLINE", at: time), factsheet(at: time)]
    }

    mutating func farewell(at time: Timestamp) -> [Message] { [connection("OFFLINE", at: time)] }

    private mutating func connection(_ state: String, at time: Timestamp) -> Message {
        var json = header(.connection, at: time)
        json["connectionState"] = .string(state)
        return message(.connection, json, qos: .atLeastOnce, retain: true)
    }

    // MARK: State and visualization

    mutating func telemetry(_ reading: Reading, sequence: Int, at time: Timestamp) -> [Message] {
        var messages: [Message] = []
        let now = Condition(
            isDriving: reading.motion.speed > 0, isCharging: reading.isCharging,
            isLocalized: reading.motion.position != nil)
        let isDue = lastState.map { time.duration(since: $0) >= Self.longestSilence } ?? true
        if now != condition || isDue {
            (condition, lastState) = (now, time)
            messages.append(state(reading, now, at: time))
        }
        var json = header(.visualization, at: time)
        json["agvPosition"] = position(reading)
        json["velocity"] = velocity(reading)
        messages.append(message(.visualization, json, qos: .atMostOnce))
        return messages
    }

    private mutating func state(_ reading: Reading, _ condition: Condition, at time: Timestamp) -> Message {
        var json = header(.state, at: time)
        json["maps"] = [["mapId": .string(plan.name), "mapVersion": "1", "mapStatus": "ENABLED"]]
        json["orderId"] = ""
        json["orderUpdateId"] = 0
        json["lastNodeId"] = ""
        json["lastNodeSequenceId"] = 0
        json["driving"] = .bool(condition.isDriving)
        json["paused"] = false
        json["operatingMode"] = "AUTOMATIC"
        for list in ["nodeStates", "edgeStates", "actionStates", "loads", "errors", "information"] { json[list] = [] }
        json["batteryState"] = [
            "batteryCharge": .rounded(reading.charge ?? 80, 1), "charging": .bool(condition.isCharging),
        ]
        json["safetyState"] = ["eStop": "NONE", "fieldViolation": false]
        json["agvPosition"] = position(reading)
        json["velocity"] = velocity(reading)
        return message(.state, json, qos: .atMostOnce)
    }

    /// A vehicle that has not found itself says so, and its zeros are no place.
    private func position(_ reading: Reading) -> JSONValue {
        guard let position = reading.motion.position else {
            return [
                "x": 0, "y": 0, "theta": 0, "mapId": .string(plan.name), "positionInitialized": false,
                "localizationScore": 0,
            ]
        }
        let (x, y) = plan.point(position)
        let theta = LocalPlan.angle(heading: reading.motion.heading ?? 0) * Double.pi / 180
        var json: JSONObject = [
            "x": .rounded(x, 3), "y": .rounded(y, 3), "theta": .rounded(theta, 4), "mapId": .string(plan.name),
            "positionInitialized": true, "localizationScore": 0.95,
        ]
        if let accuracy = reading.motion.accuracy { json["deviationRange"] = .rounded(accuracy, 2) }
        return .object(json)
    }

    /// In the vehicle's own axes, x forward.
    private func velocity(_ reading: Reading) -> JSONValue { ["vx": .rounded(reading.motion.speed, 2), "vy": 0] }

    // MARK: Factsheet

    private mutating func factsheet(at time: Timestamp) -> Message {
        var json = header(.factsheet, at: time)
        json["typeSpecification"] = [
            "seriesName": "Simulated", "agvKinematic": "DIFF", "agvClass": "CARRIER", "maxLoadMass": 100,
            "localizationTypes": ["NATURAL"], "navigationTypes": ["AUTONOMOUS"],
        ]
        json["physicalParameters"] = [
            "speedMin": 0, "speedMax": 1, "accelerationMax": 1, "decelerationMax": 1, "heightMin": 0.1,
            "heightMax": 0.1, "width": 0.35, "length": 0.35,
        ]
        json["protocolLimits"] = [
            "maxStringLens": [:], "maxArrayLens": [:], "timing": ["minOrderInterval": 1, "minStateInterval": 0.01],
        ]
        json["protocolFeatures"] = ["optionalParameters": [], "agvActions": []]
        json["agvGeometry"] = [:]
        json["loadSpecification"] = [:]
        return message(.factsheet, json, qos: .atMostOnce, retain: true)
    }

    // MARK: Every message

    private mutating func header(_ topic: Topic, at time: Timestamp) -> JSONObject {
        headers[topic, default: 0] += 1
        return [
            "headerId": .number(Double(headers[topic] ?? 0)), "timestamp": .string(time.iso8601),
            "version": .string(Self.version), "manufacturer": .string(device.source),
            "serialNumber": .string(device.id),
        ]
    }

    private func message(_ topic: Topic, _ json: JSONObject, qos: QoS, retain: Bool = false) -> Message {
        Message(
            "uagv/v2/\(device.source)/\(device.id)/\(topic.rawValue)", .object(json), qos: qos, retain: retain)
    }
}
