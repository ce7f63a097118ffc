/// What a program tells its caller by ending.
public enum ExitCode: Int32, Sendable {
    case success = 0
    /// The work could not be done.
    case failure = 1
    /// A configuration file is wrong.
    case configuration = 2
    /// The command line is wrong: `EX_USAGE` of sysexits.h.
    case usage = 64
}

/// A command line that cannot be obeyed. Ends the program with ``ExitCode/usage``.
public struct UsageError: Error, Hashable, Sendable {
    /// One sentence without the program's name and without a full stop.
    public var message: String

    public init(_ message: String) {
        self.message = message
    }
}
