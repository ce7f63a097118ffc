import MQTTModel
import Timestamps

/// How a vendor's device speaks MQTT, written from the vendor's own specification. One value for each device, since many
/// tell only what has changed.
protocol DeviceFormat: Sendable {
    /// What the broker is to publish when the connection breaks; `nil`: these devices leave no will.
    mutating func will(at time: Timestamp) -> Message?

    /// Said after each connect, before the first reading.
    mutating func greeting(at time: Timestamp) -> [Message]

    /// - Parameter sequence: Counts the device's readings from 1, also those that could not be sent.
    mutating func telemetry(_ reading: Reading, sequence: Int, at time: Timestamp) -> [Message]

    /// Said before disconnecting in good order.
    mutating func farewell(at time: Timestamp) -> [Message]
}

/// Trackers mostly say nothing of their connection. Mutating as what they stand for, else they were chosen instead of it
/// where a format is a constant.
extension DeviceFormat {
    mutating func will(at time: Timestamp) -> Message? { nil }
    mutating func greeting(at time: Timestamp) -> [Message] { [] }
    mutating func farewell(at time: Timestamp) -> [Message] { [] }
}
