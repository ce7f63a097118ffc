public import FleetEngine
public import MQTTModel

/// A configuration file, read and checked.
public struct BridgeConfiguration: Sendable {
    public var broker: BrokerSettings
    /// Where the bridge publishes; `nil`: at the ``broker`` that it reads from.
    public var outputBroker: BrokerSettings?
    public var engine: EngineConfiguration
    /// Whether the file has no `sources`, so that the built-in ones count.
    public var hasBuiltInSources = false
    /// `nil`: the ways of locations are not logged.
    public var gpxLog: GPXLogSettings?
    /// `nil`: nothing is served over HTTP.
    public var http: HTTPSettings?
}

/// How a broker is reached.
public struct BrokerSettings: Sendable, Equatable {
    /// Where they stand in the file.
    public var section = "broker"
    public var address = BrokerAddress(host: "127.0.0.1")
    public var clientIdentifier = ""
    public var protocolVersion = ProtocolVersion.mqtt5
    /// Of the subscriptions to the sources' topics; what is published has its own.
    public var qos = QoS.atLeastOnce
    /// Whole seconds.
    public var keepAlive: Duration = .seconds(15)
    /// How long the broker keeps the session of a client that is away, in whole seconds; zero: it ends with the
    /// connection. MQTT 3.1.1 cannot say how long: anything but zero asks for a session that stays.
    public var sessionExpiry: Duration = .zero
    public var username: String?
    /// As it was when the configuration was read.
    public var password: Secret?
    /// Where ``password`` comes from, to be read again at each connect; `nil` where the environment says it.
    public var passwordFile: String?
    /// For an ``address`` that is secure.
    public var tls = TLSOptions()

    public init() {}
}
