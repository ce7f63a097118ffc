public import MQTTModel

/// What the engine wants done, in order.
public enum Effect: Sendable {
    /// Connect with this will; whatever connection there was is over.
    case connect(WillMessage)
    /// Send DISCONNECT after everything given so far.
    case disconnect
    case subscribe(Subscription, RequestToken)
    case unsubscribe(String)
    case publish(Message, RequestToken)
    case log(LogEntry)
    /// End the process with this code.
    case exit(Int32)
}
