/// Settings of the design that have no code behind them yet. Whoever brings the code deletes the key here, so that nobody's
/// setting is silently ignored until then.
enum NotYet {
    static let bridge: Set = ["instance"]
    static let topics: Set<String> = []
    static let source: Set<String> = []
    static let displayRule: Set<String> = []
}
