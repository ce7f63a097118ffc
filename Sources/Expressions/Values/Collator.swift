/// The rules of one language for comparing texts.
public final class Collator: Sendable {
    let locale: String
    init(locale: String) { self.locale = locale }
    /// Negative, 0 or positive.
    func compare(_ a: String, _ b: String) -> Int { a.precedes(b) ? -1 : b.precedes(a) ? 1 : 0 }
}
