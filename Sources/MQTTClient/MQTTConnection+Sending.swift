public import MQTTModel

extension MQTTConnection {
    /// Publishes of QoS 1 and 2 that may be given now, 0 … ``ConnectOptions/inFlightLimit``.
    public var freeInFlight: Int {
        guard state == .connected, let handle else { return 0 }
        return max(0, min(options.inFlightLimit, Int(capabilities.receiveMaximum)) - handle.inbox.inFlight.count)
    }

    /// Asks for one filter, in a packet of its own: identifier and retain handling belong to it alone.
    ///
    /// - Returns: What ``MQTTEvent/subscribed(_:_:)`` brings back.
    @discardableResult
    public func subscribe(_ subscription: Subscription) throws(MQTTError) -> PacketIdentifier {
        let operation = "subscribe to \(subscription.topicFilter)"
        let handle = try connected(operation)
        try refuseNUL(in: subscription.topicFilter, operation, .invalidTopic)
        if subscription.topicFilter.isEmpty {  // the library lets it pass, and the broker ends the connection
            throw MQTTError(.invalidTopic, operation: operation, detail: "empty filter")
        }
        if let identifier = subscription.identifier {
            guard (1...268_435_455).contains(identifier) else {
                throw MQTTError(.invalidOption, operation: operation, detail: "subscription identifier \(identifier)")
            }
            guard capabilities.subscriptionIdentifiersAvailable else {
                throw MQTTError(.notSupported, operation: operation, detail: "subscription identifiers")
            }
        }
        return try handle.subscribe(subscription)
    }

    @discardableResult
    public func unsubscribe(_ topicFilter: String) throws(MQTTError) -> PacketIdentifier {
        let operation = "unsubscribe from \(topicFilter)"
        let handle = try connected(operation)
        try refuseNUL(in: topicFilter, operation, .invalidTopic)
        return try handle.unsubscribe(topicFilter)
    }

    /// Sends a message, or leaves it to the library until the socket takes it; never more than the limits in
    /// ``ConnectOptions`` allow, and nothing at all while not connected.
    ///
    /// - Returns: What ``MQTTEvent/published(_:_:)`` brings back; `nil` for QoS 0, which is not acknowledged.
    @discardableResult
    public func publish(_ message: Message) throws(MQTTError) -> PacketIdentifier? {
        let operation = "publish to \(message.topicName)"
        let handle = try connected(operation)
        try refuseNUL(in: message.topicName, operation, .invalidTopic)
        try checkSupport(of: message, operation, propertiesLength: message.propertiesLength)
        if message.qos > .atMostOnce {
            guard freeInFlight > 0 else { throw MQTTError(.inFlightLimit, operation: operation) }
        } else {
            guard handle.inbox.unsent < options.sendQueueLimit else {
                throw MQTTError(.sendQueueFull, operation: operation)
            }
        }
        let identifier = try handle.publish(message)
        return message.qos > .atMostOnce ? identifier : nil
    }

    private func connected(_ operation: String) throws(MQTTError) -> MosquittoHandle {
        guard state == .connected, let handle else { throw MQTTError(.notConnected, operation: operation) }
        return handle
    }

    /// The library would send a retained message as not retained, and a packet that is a little too large.
    private func checkSupport(of message: Message, _ operation: String, propertiesLength: Int) throws(MQTTError) {
        if message.retain, !capabilities.retainAvailable {
            throw MQTTError(.notSupported, operation: operation, detail: "retained messages")
        }
        if message.qos > capabilities.maximumQoS {
            throw MQTTError(.notSupported, operation: operation, detail: "QoS \(message.qos.rawValue)")
        }
        let size = message.publishPacketSize(propertiesLength: propertiesLength)
        if let limit = capabilities.maximumPacketSize, size > limit {
            throw MQTTError(.packetTooLarge, operation: operation, detail: "\(size) bytes, the broker takes \(limit)")
        }
    }
}
