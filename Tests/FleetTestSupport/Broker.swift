public import LocalBroker

/// A real broker for one test. Tests that need it say `.enabled(if: Broker.isInstalled)`.
public enum Broker {
    public static let isInstalled = EmbeddedBroker.isInstalled

    /// Runs `body` beside a broker of its own, which has started and is gone afterwards. `body` may kill, pause and
    /// start it; it stays on its port.
    ///
    /// - Parameter settings: Further lines of `mosquitto.conf`.
    public static func withBroker<Result>(
        settings: [String] = [], _ body: (EmbeddedBroker) throws -> Result
    ) throws -> Result {
        let broker = try EmbeddedBroker(settings: settings)
        defer { broker.kill() }
        return try body(broker)
    }
}
