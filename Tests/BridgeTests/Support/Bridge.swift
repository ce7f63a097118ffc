import FleetTestSupport
import Glibc
import JSON
import LocalBroker
import Timestamps

/// `fleet-bridge run` beside a broker, as a user runs it.
final class Bridge {
    let process: ProductProcess
    private let file: TemporaryFile?

    /// - Parameters:
    ///   - configuration: YAML; `nil`: the built-in one.
    ///   - bound: Whole seconds, after which it ends in any case, so that nothing outlives a killed test run.
    init(
        _ broker: EmbeddedBroker, _ configuration: String? = nil, _ options: String...,
        lasting bound: Duration = .seconds(120)
    ) throws {
        file = try configuration.map { try TemporaryFile("bridge.yaml", $0) }
        let limit = ["--for", "\(bound.components.seconds)s"]
        let arguments = ["run", "--broker", broker.url] + limit + (file.map { ["--config", $0.path] } ?? [])
        process = try ProductProcess("fleet-bridge", arguments + options)
    }

    /// Changes the configuration's file and says so.
    func reload(_ configuration: String) throws {
        try file?.replace(with: configuration)
        process.send(SIGHUP)
    }

    /// Waits until it has read what is stored and takes live messages, so many times.
    func waitUntilReady(times: Int = 1) throws {
        try process.waitForErrors(" ready ", times: times)
    }

    /// Ends it in the good way.
    func stop() throws -> Int32 {
        process.send(SIGTERM)
        return try process.wait(atMost: .seconds(20))
    }
}

/// Configurations for tests.
enum Settings {
    /// One source `robots`, every change published at once.
    static let robots = robots()

    static func robots(source: [String] = [], bridge: [String] = []) -> String {
        (bridge + [
            "sources:", "  robots:",
            "    topics: [\"fleet/robots/{device}/telemetry\", \"fleet/robots/{device}/connection\", fleet/robots/status]",
            "    maxRate: unlimited",
        ] + source.map { "    " + $0 }).joined(separator: "\n") + "\n"
    }
}

func wallClock() -> Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000)
}

/// The wall clock, as devices write it.
func now(_ offset: Duration = .zero) -> String { wallClock().advanced(by: offset).iso8601 }
