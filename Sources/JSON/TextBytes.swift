extension String {
    /// Whether both texts are the same bytes. `==` also holds for different spellings of one letter ("é" as one scalar
    /// or two), which makes one device out of two.
    public func hasSameBytes(as other: String) -> Bool {
        var a = self
        var b = other
        return a.withUTF8 { x in
            b.withUTF8 { y in
                x.count == y.count && x.elementsEqual(y)
            }
        }
    }

    /// Feeds the bytes to a hasher: the partner of ``hasSameBytes(as:)``.
    public func hashBytes(into hasher: inout Hasher) {
        var text = self
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
