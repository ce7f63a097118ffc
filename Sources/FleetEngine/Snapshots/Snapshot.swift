/// Figures for whoever watches the bridge.
public struct Snapshot: Sendable, Equatable {
    public var isConnected: Bool
    /// Whether what devices say arrives; differs where the bridge reads elsewhere than it publishes.
    public var isReading: Bool
    public var messages: Int
    public var locations: Int
    public var rejected: Int
    public var published: Int
}
