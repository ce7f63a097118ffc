import CMosquitto
import Glibc
import MQTTModel

/// Properties of one packet to be sent.
final class PropertyList {
    private(set) var raw: OpaquePointer?

    deinit { mosquitto_property_free_all(&raw) }

    func add(_ property: mqtt5_property, _ value: UInt32) -> Int32 {
        mosquitto_property_add_int32(&raw, Int32(property.rawValue), value)
    }

    func add(_ property: mqtt5_property, _ value: [UInt8]) -> Int32 {
        value.withUnsafeBytes { bytes in
            mosquitto_property_add_binary(
                &raw, Int32(property.rawValue), bytes.baseAddress, UInt16(clamping: bytes.count))
        }
    }

    func add(_ property: mqtt5_property, _ text: String) -> Int32 {
        mosquitto_property_add_string(&raw, Int32(property.rawValue), text)
    }

    func addVariable(_ property: mqtt5_property, _ value: UInt32) -> Int32 {
        mosquitto_property_add_varint(&raw, Int32(property.rawValue), value)
    }
}

extension Message {
    /// The library has checked that the topic is UTF-8 without NUL; it ends the connection otherwise.
    init?(copying message: mosquitto_message, _ properties: OpaquePointer?) {
        guard let topic = message.topic, let qos = QoS(rawValue: UInt8(truncatingIfNeeded: message.qos)) else {
            return nil
        }
        let payload = UnsafeRawBufferPointer(start: message.payload, count: Int(max(0, message.payloadlen)))
        self.init(
            topicName: String(cString: topic), payload: [UInt8](payload), qos: qos, retain: message.retain,
            subscriptionIdentifiers: properties == nil ? [] : Self.identifiers(properties),
            correlation: properties.flatMap { Correlation(copying: $0) })
    }

    private static func identifiers(_ properties: OpaquePointer?) -> [UInt32] {
        var identifiers: [UInt32] = []
        var value: UInt32 = 0
        let name = Int32(MQTT_PROP_SUBSCRIPTION_IDENTIFIER.rawValue)
        var found = mosquitto_property_read_varint(properties, name, &value, false)
        while let current = found {
            identifiers.append(value)
            found = mosquitto_property_read_varint(current, name, &value, true)
        }
        return identifiers
    }
}

extension Correlation {
    fileprivate convenience init?(copying properties: OpaquePointer) {
        let topic = string(MQTT_PROP_RESPONSE_TOPIC, of: properties)
        let data = binary(MQTT_PROP_CORRELATION_DATA, of: properties)
        guard topic != nil || data != nil else { return nil }
        self.init(responseTopic: topic, data: data)
    }
}

extension ServerCapabilities {
    init(copying properties: OpaquePointer?) {
        self.init()
        maximumPacketSize = number32(MQTT_PROP_MAXIMUM_PACKET_SIZE, of: properties)
        receiveMaximum = number16(MQTT_PROP_RECEIVE_MAXIMUM, of: properties) ?? receiveMaximum
        maximumQoS = byte(MQTT_PROP_MAXIMUM_QOS, of: properties).flatMap(QoS.init(rawValue:)) ?? maximumQoS
        retainAvailable = byte(MQTT_PROP_RETAIN_AVAILABLE, of: properties) != 0
        wildcardSubscriptionAvailable = byte(MQTT_PROP_WILDCARD_SUB_AVAILABLE, of: properties) != 0
        subscriptionIdentifiersAvailable = byte(MQTT_PROP_SUBSCRIPTION_ID_AVAILABLE, of: properties) != 0
        sharedSubscriptionAvailable = byte(MQTT_PROP_SHARED_SUB_AVAILABLE, of: properties) != 0
        keepAlive = number16(MQTT_PROP_SERVER_KEEP_ALIVE, of: properties).map { .seconds($0) }
        sessionExpiry = number32(MQTT_PROP_SESSION_EXPIRY_INTERVAL, of: properties).map { .seconds($0) }
        assignedClientIdentifier = string(MQTT_PROP_ASSIGNED_CLIENT_IDENTIFIER, of: properties)
    }
}

private func byte(_ property: mqtt5_property, of list: OpaquePointer?) -> UInt8? {
    var value: UInt8 = 0
    return mosquitto_property_read_byte(list, Int32(property.rawValue), &value, false) == nil ? nil : value
}

private func number16(_ property: mqtt5_property, of list: OpaquePointer?) -> UInt16? {
    var value: UInt16 = 0
    return mosquitto_property_read_int16(list, Int32(property.rawValue), &value, false) == nil ? nil : value
}

private func number32(_ property: mqtt5_property, of list: OpaquePointer?) -> UInt32? {
    var value: UInt32 = 0
    return mosquitto_property_read_int32(list, Int32(property.rawValue), &value, false) == nil ? nil : value
}

func string(_ property: mqtt5_property, of list: OpaquePointer?) -> String? {
    var value: UnsafeMutablePointer<CChar>?
    guard mosquitto_property_read_string(list, Int32(property.rawValue), &value, false) != nil, let value else {
        return nil
    }
    defer { free(value) }
    return String(cString: value)
}

private func binary(_ property: mqtt5_property, of list: OpaquePointer?) -> [UInt8]? {
    var value: UnsafeMutableRawPointer?
    var count: UInt16 = 0
    guard mosquitto_property_read_binary(list, Int32(property.rawValue), &value, &count, false) != nil else {
        return nil
    }
    defer { free(value) }
    return [UInt8](UnsafeRawBufferPointer(start: value, count: value == nil ? 0 : Int(count)))
}
