/// Figures for whoever watches the bridge.
public struct Snapshot: Sendable, Equatable {
    public var isConnected: Bool
    public var messages: Int
    public var locations: Int
    public var rejected: Int
    public var published: Int
}
