/// Quality of service (MQTT 5.0, §4.3).
public enum QoS: UInt8, Sendable, Comparable {
    case atMostOnce = 0
    case atLeastOnce = 1
    case exactlyOnce = 2

    public static func < (a: QoS, b: QoS) -> Bool { a.rawValue < b.rawValue }
}
