import MQTTModel

extension Message {
    /// Bytes of the properties with which it is sent.
    var propertiesLength: Int {
        (expirySeconds > 0 ? 5 : 0) + (correlation?.responseTopic.map { 3 + $0.utf8.count } ?? 0)
            + (correlation?.data.map { 3 + $0.count } ?? 0)
    }

    /// Returns the bytes of the PUBLISH packet (MQTT 5.0, §3.3), fixed header included.
    ///
    /// libmosquitto's own check counts up to two bytes too few, so a packet just over the limit would pass it and the
    /// broker would end the connection.
    ///
    /// - Parameter propertiesLength: Bytes of the properties, without the length that precedes them.
    func publishPacketSize(propertiesLength: Int) -> Int {
        let identifier = qos == .atMostOnce ? 0 : 2
        let remaining =
            2 + topicName.utf8.count + identifier + variableByteIntegerSize(propertiesLength) + propertiesLength
            + payload.count
        return 1 + variableByteIntegerSize(remaining) + remaining
    }
}

/// Bytes of a Variable Byte Integer (MQTT 5.0, §1.5.5).
func variableByteIntegerSize(_ value: Int) -> Int {
    switch value {
    case ..<128: 1
    case ..<16_384: 2
    case ..<2_097_152: 3
    default: 4
    }
}
