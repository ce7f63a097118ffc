internal import CICU

/// The rules of one language for comparing texts, for searching: German takes "ü" as "ue".
///
/// Owns an ICU collator. Comparing does not change it, so threads may share it.
public final class Collator: @unchecked Sendable {
    /// The BCP 47 tag of the language whose rules are used.
    let locale: String
    private let raw: OpaquePointer

    /// - Returns: `nil` when ICU has no rules at all.
    init?(_ language: LanguageTag, isCaseSensitive: Bool, isDiacriticSensitive: Bool) {
        var status = U_ZERO_ERROR
        guard let raw = icu_openCollator(language.identifier + "@collation=search", &status),
            status.rawValue <= 0
        else {
            return nil
        }
        let strength =
            switch (isCaseSensitive, isDiacriticSensitive) {
            case (true, true): UCOL_TERTIARY
            case (false, true): UCOL_SECONDARY
            case (_, false): UCOL_PRIMARY
            }
        icu_setAttribute(raw, UCOL_STRENGTH, strength, &status)
        if isCaseSensitive, !isDiacriticSensitive {
            icu_setAttribute(raw, UCOL_CASE_LEVEL, UCOL_ON, &status)
        }
        self.raw = raw
        locale = language.text
    }

    deinit { icu_closeCollator(raw) }

    /// Negative, 0 or positive, like `strcmp`.
    func compare(_ a: String, _ b: String) -> Int {
        var (a, b) = (a, b)
        return a.withUTF8 { x in
            b.withUTF8 { y in
                // Lengths are those of payloads, far below 2 GiB; what lies beyond is not compared.
                var status = U_ZERO_ERROR
                return x.withMemoryRebound(to: CChar.self) { x in
                    y.withMemoryRebound(to: CChar.self) { y in
                        Int(
                            icu_compare(
                                raw, x.baseAddress, Int32(clamping: x.count), y.baseAddress,
                                Int32(clamping: y.count),
                                &status
                            ).rawValue)
                    }
                }
            }
        }
    }
}
