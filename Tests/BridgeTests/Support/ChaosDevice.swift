import FleetTestSupport
import LocalBroker
import MQTTModel
import Timestamps

/// A device with a connection and a will of its own, that comes back whenever it has something to say.
final class ChaosDevice {
    let id: String
    private let port: UInt16
    private var client: TestClient?
    private(set) var number = 0
    private var time = Timestamp(milliseconds: 0)

    init(id: String, port: UInt16) {
        (self.id, self.port) = (id, port)
    }

    var latitude: Double { 50 + Double(number) / 100_000 }

    /// Says the next thing; what does not reach the broker is lost.
    func report(retain: Bool = false, waits: Bool = true) {
        let message = next(retain: retain)
        do {
            if waits {
                try connect().publish(message)
            } else {
                try client?.connection.publish(message)
            }
        } catch {
            cut()
        }
    }

    /// Says the next thing until it has arrived.
    func lastReport(retain: Bool) throws {
        cut()
        try connect(patience: .seconds(30)).publish(next(retain: retain))
    }

    /// Clears what is stored of it, in passing or for good.
    func withdraw() { if (try? leave()) == nil { cut() } }

    func leave() throws { try connect().publish("fleet/robots/\(id)/telemetry", "", retain: true) }

    /// Its connection breaks, and the broker sends its will.
    func cut() {
        client?.cut()
        client = nil
    }

    private func next(retain: Bool) -> Message {
        number += 1
        // A restarted bridge knows no sequence number, so of two reports of one millisecond it cannot tell which is newer.
        time = max(wallClock(), time.advanced(by: .milliseconds(1)))
        let text =
            #"{"lat":\#(latitude),"lon":9,"charge":\#(number % 101),"ts":"\#(time.iso8601)","seq":\#(number),"n":\#(number)}"#
        return Message(
            topicName: "fleet/robots/\(id)/telemetry", payload: Array(text.utf8), qos: .atLeastOnce, retain: retain)
    }

    private func connect(patience: Duration = .seconds(2)) throws -> TestClient {
        if let client, client.connection.state == .connected { return client }
        let topicName = "fleet/robots/\(id)/connection"
        let client = try TestClient(port: port, patience: patience) {
            $0.willMessage = Message(
                topicName: topicName, payload: Array("offline".utf8), qos: .atLeastOnce, retain: true)
        }
        try client.publish(topicName, "online", retain: true)
        self.client = client
        return client
    }
}
