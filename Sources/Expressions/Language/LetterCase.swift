internal import CICU

extension String {
    /// The text in capitals or small letters by Unicode's full mappings, of no language in particular.
    func mapped(toUpper: Bool) -> String {
        if utf8.allSatisfy({ $0 < 0x80 }) { return toUpper ? uppercased() : lowercased() }
        let units = Array(utf16)
        guard let count = Int32(exactly: units.count) else { return self }
        // One character becomes at most three.
        var mapped = [UInt16](repeating: 0, count: units.count * 3)
        guard let capacity = Int32(exactly: mapped.count) else { return self }
        var status = U_ZERO_ERROR
        let length =
            toUpper
            ? icu_toUpper(&mapped, capacity, units, count, &status)
            : icu_toLower(&mapped, capacity, units, count, &status)
        guard status.rawValue <= 0, length >= 0, length <= capacity else { return self }
        return String(decoding: mapped[..<Int(length)], as: UTF16.self)
    }
}
