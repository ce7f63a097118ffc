import FleetTestSupport
import JSON
import LocalBroker
import MQTTModel

/// Devices of the source `robots` that number their reports, all on one connection.
final class Devices {
    private let client: TestClient
    private(set) var numbers: [String: Int] = [:]

    init(_ broker: EmbeddedBroker, _ clientIdentifier: String? = nil) throws {
        client = try TestClient(port: broker.port, clientIdentifier, patience: .seconds(30))
    }

    /// Publishes a device's next report, and waits until the broker has it.
    func report(_ device: String, retain: Bool = false) throws {
        try client.publish(
            Message(
                topicName: "fleet/robots/\(device)/telemetry", payload: next(of: device), qos: .atLeastOnce,
                retain: retain))
    }

    /// Publishes and waits for nothing but the socket.
    func burst(_ device: String) throws {
        _ = try client.publish(
            Message(topicName: "fleet/robots/\(device)/telemetry", payload: next(of: device), qos: .atMostOnce))
    }

    func publish(_ topicName: String, _ payload: [UInt8], retain: Bool = false) throws {
        try client.publish(Message(topicName: topicName, payload: payload, qos: .atLeastOnce, retain: retain))
    }

    private func next(of device: String) -> [UInt8] {
        let number = (numbers[device] ?? 0) + 1
        numbers[device] = number
        return Array(
            #"{"lat":57.5,"lon":9.25,"charge":\#(number % 101),"ts":"\#(now())","seq":\#(number),"n":\#(number)}"#.utf8)
    }

    /// Waits until each device's state shows its last report.
    func waitUntilCurrent(_ watcher: Watcher) throws {
        for (device, number) in numbers.sorted(by: { $0.key < $1.key }) {
            try watcher.waitForState(device, "properties.n", .number(Double(number)))
        }
    }
}

extension Watcher {
    /// The numbers of the reports that were shown of a device, in order.
    func numbers(of device: String) -> [Int] {
        history("fleet-bridge/robots/\(device)/state").compactMap { $0.number("properties.n").map { Int($0) } }
    }
}
