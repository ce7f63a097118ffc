internal import Configuration
internal import Locations
internal import Timestamps

/// The sources that a program has beside those of its configurations.
struct OwnSources: Sendable {
    private let make: @Sendable (Instant) -> [any LocationSource]

    init(_ make: @escaping @Sendable (Instant) -> [any LocationSource]) { self.make = make }

    func made() -> [any LocationSource] { make(SystemClock.now()) }

    /// What their ids are, and whom they go by, only they themselves know.
    var described: [OwnSource] { made().map { OwnSource($0) } }

    /// Reads a configuration and prints what is wrong with it.
    ///
    /// - Returns: `nil` where it cannot be used; the process then ends with ``ExitCode/configuration``.
    func configuration(_ path: String?) -> BridgeConfiguration? {
        let outcome = ConfigurationReader(own: described).read(path)
        BridgeProgram.report(outcome)
        return outcome.configuration
    }
}
