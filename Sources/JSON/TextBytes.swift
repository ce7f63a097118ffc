internal import Glibc

extension String {
    /// Whether both texts are the same bytes. `==` also holds for different spellings of one letter ("é" as one scalar
    /// or two), which makes one device out of two.
    public func hasSameBytes(as other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        // Short texts stand in the value itself, and long ones that are equal often share their memory.
        if isIdentical(to: other) { return true }
        return withBytes { a in other.withBytes { b in a[...].hasSameBytes(as: b[...]) } }
    }

    private func isIdentical(to other: String) -> Bool {
        unsafeBitCast(self, to: (UInt64, UInt64).self) == unsafeBitCast(other, to: (UInt64, UInt64).self)
    }

    /// Feeds the bytes to a hasher: the partner of ``hasSameBytes(as:)``.
    public func hashBytes(into hasher: inout Hasher) {
        withBytes { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }

    /// Hands over the UTF-8 bytes in place.
    func withBytes<Result>(_ look: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        if let result = utf8.withContiguousStorageIfAvailable(look) { return result }
        var copy = self  // a text that Swift does not keep as UTF-8; on Linux there is none
        return copy.withUTF8(look)
    }
}

extension String? {
    /// Whether both are the same bytes, or neither is there.
    @inlinable
    public func hasSameBytes(as other: String?) -> Bool {
        switch (self, other) {
        case (let a?, let b?): a.hasSameBytes(as: b)
        case (nil, nil): true
        default: false
        }
    }
}

extension Slice<UnsafeBufferPointer<UInt8>> {
    public func hasSameBytes(as other: Self) -> Bool {
        guard count == other.count else { return false }
        guard let a = UnsafeBufferPointer(rebasing: self).baseAddress,
            let b = UnsafeBufferPointer(rebasing: other).baseAddress
        else { return true }
        return memcmp(a, b, count) == 0
    }
}
