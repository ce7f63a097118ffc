internal import Glibc

extension String {
    /// Whether both texts are the same bytes. `==` also holds for different spellings of one letter ("é" as one scalar
    /// or two), which makes one device out of two.
    public func hasSameBytes(as other: String) -> Bool {
        var a = self
        var b = other
        return a.withUTF8 { x in
            b.withUTF8 { y in
                guard x.count == y.count else { return false }
                guard let p = x.baseAddress, let q = y.baseAddress else { return true }
                return memcmp(p, q, x.count) == 0
            }
        }
    }

    /// Feeds the bytes to a hasher: the partner of ``hasSameBytes(as:)``.
    public func hashBytes(into hasher: inout Hasher) {
        var text = self
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
