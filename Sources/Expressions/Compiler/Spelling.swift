/// Finds the name that was probably meant.
public enum Spelling {
    /// The name with the fewest edits to the given one.
    ///
    /// - Returns: `nil` when none is near: more than a third of the letters would change.
    public static func nearest(to name: String, among names: some Sequence<String>) -> String? {
        let letters = Array(name.lowercased().unicodeScalars.prefix(64))
        let limit = max(1, letters.count / 3)
        return
            names
            .map { (name: $0, distance: distance(letters, Array($0.lowercased().unicodeScalars))) }
            .filter { $0.distance <= limit && $0.distance < $0.name.unicodeScalars.count }
            .min { ($0.distance, $0.name) < ($1.distance, $1.name) }?
            .name
    }

    /// Letters put in, left out, replaced, or swapped with their neighbour.
    private static func distance(_ a: [UnicodeScalar], _ b: [UnicodeScalar]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...b.count)
        for (i, letter) in a.enumerated() {
            var current = [i + 1]
            for (j, other) in b.enumerated() {
                var best = min(last[j + 1], current[j]) + 1
                best = min(best, last[j] + (letter == other ? 0 : 1))
                if i > 0, j > 0, letter == b[j - 1], a[i - 1] == other {
                    best = min(best, beforeLast[j - 1] + 1)
                }
                current.append(best)
            }
            (beforeLast, last) = (last, current)
        }
        return last[b.count]
    }
}
