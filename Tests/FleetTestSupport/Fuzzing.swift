import Foundation

/// How much the fuzz tests do: `FUZZ=200000` feeds that much to each, `SEED=n` chooses the seed.
public enum Fuzzing {
    private static let environment = ProcessInfo.processInfo.environment

    public static let seed = environment["SEED"].flatMap { UInt64($0) } ?? 1

    /// - Parameter usual: How many, where the environment says nothing.
    public static func count(_ usual: Int) -> Int { environment["FUZZ"].flatMap { Int($0) } ?? usual }
}
