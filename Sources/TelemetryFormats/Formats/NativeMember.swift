/// The members of a native report that have a meaning; whatever else stands there is a property.
enum NativeMember: String, CaseIterable {
    case lat, lon, x, y, map, position
    case floor, charge, heading, speed, accuracy, altitude, ts, seq, id, name, type, building, state, charging

    /// - Returns: `nil` for a key without a meaning.
    init?(_ key: String) {
        let number = Self.number(key)
        guard number != 0, let index = Self.numbers.firstIndex(of: number) else { return nil }
        self = Self.allCases[index]
    }

    private static let numbers = allCases.map { number($0.rawValue) }

    /// A text of at most eight bytes as one number, so that finding it among twenty others compares numbers, not texts.
    /// Without NULs, which no key has, different texts are different numbers.
    ///
    /// - Returns: 0 for a longer text.
    private static func number(_ text: String) -> UInt64 {
        guard text.utf8.count <= 8 else { return 0 }
        return text.utf8.withContiguousStorageIfAvailable { $0.reduce(0) { $0 << 8 | UInt64($1) } } ?? 0
    }
}
