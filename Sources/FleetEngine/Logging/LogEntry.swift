/// One event for the log. Texts come from outside too: whoever prints them escapes them.
public struct LogEntry: Sendable, Equatable {
    public enum Level: Int, Sendable, Comparable, CaseIterable {
        case debug, info, warning, error

        public static func < (a: Level, b: Level) -> Bool { a.rawValue < b.rawValue }
    }

    public var level: Level
    public var message: String
    /// Details by name, in order.
    public var fields: [(name: String, value: String)]

    public init(_ level: Level, _ message: String, _ fields: KeyValuePairs<String, String> = [:]) {
        self.level = level
        self.message = message
        // A topic or a pointer may be as long as a message.
        self.fields = fields.map { ($0.key, $0.value.cut(to: Self.longestValue)) }
    }

    /// Bytes of a field's value at most.
    private static let longestValue = 1_000

    public static func == (a: LogEntry, b: LogEntry) -> Bool {
        a.level == b.level && a.message == b.message && a.fields.elementsEqual(b.fields, by: ==)
    }
}
