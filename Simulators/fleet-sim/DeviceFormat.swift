import MQTTModel
import Timestamps

/// How a vendor's devices put themselves into MQTT messages.
protocol DeviceFormat: Sendable {
    /// - Parameter sequence: Counts a device's readings from 1.
    func telemetry(_ reading: Reading, of device: DeviceIdentity, sequence: Int, at time: Timestamp) -> Message

    /// Retained. The message for `false` is also the connection's will.
    func connection(isOnline: Bool, of device: DeviceIdentity) -> Message
}
