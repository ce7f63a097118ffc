public import JSON
public import MQTTModel

/// What the engine wants done, in order.
public enum Effect: Sendable {
    /// Connect, with this will if there is one; whatever connection there was is over.
    case connect(WillMessage?)
    /// Send DISCONNECT after everything given so far.
    case disconnect
    case subscribe(Subscription, RequestToken)
    case unsubscribe(String)
    case publish(Message, RequestToken)
    /// Read the configuration, changed like this, and tell what came of it by ``Event/configuration(_:for:needsRestart:)``
    /// or ``Event/configurationRefused(_:for:)``.
    case reconfigure(ConfigurationEdit, RequestToken)
    /// Do this at the broker that is read from, where it is another than the one that is published to.
    indirect case source(Effect)
    case log(LogEntry)
    /// End the process with this code.
    case exit(Int32)
}

/// How the configuration is to change. What requests change holds until the file is read again.
public enum ConfigurationEdit: Sendable, Equatable {
    /// Read the file again.
    case reload
    /// A source, with the settings that stand below its id in a file; in place of the one of this id.
    case putSource(id: String, settings: JSONValue)
    case removeSource(id: String)
}
