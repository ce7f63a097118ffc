/// A reason code (MQTT 5.0, §2.4). From 0x80 on it is a failure. For SUBACK 0, 1, 2 are the granted QoS.
public struct ReasonCode: RawRepresentable, Sendable, Hashable {
    public var rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let success = ReasonCode(rawValue: 0)
    public static let unspecifiedError = ReasonCode(rawValue: 0x80)
    public static let unsupportedProtocolVersion = ReasonCode(rawValue: 0x84)
    public static let notAuthorized = ReasonCode(rawValue: 0x87)
    public static let packetTooLarge = ReasonCode(rawValue: 0x95)
    public static let quotaExceeded = ReasonCode(rawValue: 0x97)

    public var isFailure: Bool { rawValue >= 0x80 }

    /// What MQTT 5 calls a return code of CONNACK in MQTT 3.1.1 (§3.2.2.3).
    public init(connectReturnCode: UInt8) {
        self =
            switch connectReturnCode {
            case 0: .success
            case 1: .unsupportedProtocolVersion
            case 2: ReasonCode(rawValue: 0x85)
            case 3: ReasonCode(rawValue: 0x88)
            case 4: ReasonCode(rawValue: 0x86)
            case 5: .notAuthorized
            default: .unspecifiedError
            }
    }
}

extension ReasonCode: CustomStringConvertible {
    /// The specification's name, with the number: `not authorized (135)`.
    public var description: String {
        "\(name) (\(rawValue))"
    }

    private var name: String {
        switch rawValue {
        case 0x00: "success"
        case 0x01: "granted QoS 1"
        case 0x02: "granted QoS 2"
        case 0x04: "disconnect with will message"
        case 0x10: "no matching subscribers"
        case 0x80: "unspecified error"
        case 0x81: "malformed packet"
        case 0x82: "protocol error"
        case 0x83: "implementation specific error"
        case 0x84: "unsupported protocol version"
        case 0x85: "client identifier not valid"
        case 0x86: "bad user name or password"
        case 0x87: "not authorized"
        case 0x88: "server unavailable"
        case 0x89: "server busy"
        case 0x8A: "banned"
        case 0x8B: "server shutting down"
        case 0x8C: "bad authentication method"
        case 0x8D: "keep alive timeout"
        case 0x8E: "session taken over"
        case 0x8F: "topic filter invalid"
        case 0x90: "topic name invalid"
        case 0x93: "receive maximum exceeded"
        case 0x94: "topic alias invalid"
        case 0x95: "packet too large"
        case 0x96: "message rate too high"
        case 0x97: "quota exceeded"
        case 0x98: "administrative action"
        case 0x99: "payload format invalid"
        case 0x9A: "retain not supported"
        case 0x9B: "QoS not supported"
        case 0x9C: "use another server"
        case 0x9D: "server moved"
        case 0x9E: "shared subscriptions not supported"
        case 0x9F: "connection rate exceeded"
        case 0xA0: "maximum connect time"
        case 0xA1: "subscription identifiers not supported"
        case 0xA2: "wildcard subscriptions not supported"
        default: "reason"
        }
    }
}
