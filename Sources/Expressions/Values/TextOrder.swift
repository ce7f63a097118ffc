extension String {
    /// Whether the text comes before the other one by UTF-16 code units, which is how ECMAScript compares.
    ///
    /// That is the order of the UTF-8 bytes, except that characters beyond U+FFFF come before U+E000…U+FFFF.
    func precedes(_ other: String) -> Bool {
        var a = self
        var b = other
        return a.withUTF8 { x in
            b.withUTF8 { y in
                let shared = min(x.count, y.count)
                for index in 0..<shared where x[index] != y[index] {
                    let (p, q) = (x[index], y[index])
                    if p >= 0xF0, q == 0xEE || q == 0xEF { return true }
                    if q >= 0xF0, p == 0xEE || p == 0xEF { return false }
                    return p < q
                }
                return x.count < y.count
            }
        }
    }
}
