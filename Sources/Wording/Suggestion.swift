/// Finds what somebody meant who mistyped a name.
public enum Suggestion {
    /// The candidate with the fewest edits to the name, if those are few enough to be a slip: one in short names, a
    /// third of the letters at most. The first of equals.
    public static func closest(to name: String, among candidates: [String]) -> String? {
        let best = candidates.map { ($0, distance(Array(name.utf8), Array($0.utf8))) }.min { $0.1 < $1.1 }
        guard let (candidate, edits) = best, edits <= max(1, name.utf8.count / 3) else { return nil }
        return candidate
    }

    /// Insertions, deletions, replacements and swaps of neighbours (optimal string alignment).
    private static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
        // Nobody means a name this long, and the table is quadratic.
        guard a.count < 64, b.count < 64 else { return .max }
        var table = Array(repeating: Array(repeating: 0, count: b.count + 1), count: a.count + 1)
        for i in 0...a.count { table[i][0] = i }
        for j in 0...b.count { table[0][j] = j }
        for i in a.indices.map({ $0 + 1 }) {
            for j in b.indices.map({ $0 + 1 }) {
                let replaced = table[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)
                table[i][j] = min(table[i - 1][j] + 1, table[i][j - 1] + 1, replaced)
                if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
                    table[i][j] = min(table[i][j], table[i - 2][j - 2] + 1)
                }
            }
        }
        return table[a.count][b.count]
    }
}
