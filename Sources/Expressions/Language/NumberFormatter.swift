internal import CICU

/// Writes numbers as a language does, by ICU's number skeletons. Belongs to one evaluation.
struct NumberFormatter: ~Copyable {
    private let raw: OpaquePointer

    /// - Returns: `nil` for a skeleton that ICU does not understand: an unknown unit.
    init?(skeleton: String, language: LanguageTag) {
        var status = U_ZERO_ERROR
        let units = Array(skeleton.utf16)
        guard let raw = icu_openFormatter(units, Int32(units.count), language.identifier, &status)
        else { return nil }
        guard status.rawValue <= 0 else {
            icu_closeFormatter(raw)
            return nil
        }
        self.raw = raw
    }

    deinit { icu_closeFormatter(raw) }

    func text(of number: Double) -> String {
        var status = U_ZERO_ERROR
        guard let result = icu_openResult(&status) else { return "" }
        defer { icu_closeResult(result) }
        // 0/0 has its sign bit set, which ICU would print.
        icu_format(raw, number.isNaN ? .nan : number, result, &status)
        var units = [UInt16](repeating: 0, count: 512)
        let length = icu_text(result, &units, Int32(units.count), &status)
        guard status.rawValue <= 0, length >= 0, Int(length) <= units.count else { return "" }
        return String(decoding: units[..<Int(length)], as: UTF16.self)
    }

    /// The fraction digits that a currency usually has: 2 for EUR, 0 for JPY.
    static func usualDigits(ofCurrency code: String) -> Int {
        var status = U_ZERO_ERROR
        return Int(icu_currencyDigits(Array(code.utf16) + [0], &status))
    }
}
