internal import Timestamps
internal import Wording

/// Durations as people write them: `500ms`, `10s`, `5m`, `24h`, `7d`, or `off`.
public enum DurationText {
    /// Reads what `Duration(text:)` reads, and `off`.
    ///
    /// - Returns: `nil` for `off`.
    public static func parse(_ text: String) throws(UsageError) -> Duration? {
        guard text != "off" else { return nil }
        do throws(Duration.SyntaxError) {
            return try Duration(text: text)
        } catch {
            throw UsageError("'\(Escape.text(text))' \(error.message)")
        }
    }

    /// A duration as ``parse(_:)`` reads it.
    public static func text(_ duration: Duration?) -> String { duration?.text ?? "off" }
}
