import Glibc
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

    /// The same with a broker that keeps what it stores in a file, and writes it once a second: after ``EmbeddedBroker/kill()`` it
    /// comes back with what was stored a moment before.
    ///
    /// - Parameter body: Is given the file's path, too.
    public static func withStoringBroker<Result>(_ body: (EmbeddedBroker, String) throws -> Result) throws -> Result {
        let directory = try makeTemporaryDirectory()
        defer { removeDirectory(directory) }
        chmod(directory, 0o777)  // the broker may run as another user
        let settings = ["persistence true", "persistence_location \(directory)/", "autosave_interval 1"]
        return try withBroker(settings: settings) { try body($0, directory + "/mosquitto.db") }
    }
}
