/// A version of MQTT that is spoken here.
public enum ProtocolVersion: String, Sendable, CaseIterable {
    case mqtt311 = "3.1.1"
    case mqtt5 = "5"

    /// The other one.
    public var other: ProtocolVersion { self == .mqtt5 ? .mqtt311 : .mqtt5 }
}

extension ProtocolVersion: CustomStringConvertible {
    public var description: String { "MQTT \(rawValue)" }
}
