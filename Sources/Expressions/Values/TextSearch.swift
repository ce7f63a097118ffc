extension String {
    /// Where a text stands first, as an offset in UTF-8. Takes linear time, whatever the texts (Knuth, Morris, Pratt).
    ///
    /// - Parameter start: An offset in UTF-8; the search begins there.
    func offset(of needle: String, from start: Int = 0) -> Int? {
        var text = self
        var needle = needle
        return text.withUTF8 { text -> Int? in
            needle.withUTF8 { needle -> Int? in
                guard start + needle.count <= text.count else { return nil }
                if needle.isEmpty { return start }
                let borders = Self.borders(of: needle)
                var matched = 0
                for index in start..<text.count {
                    while matched > 0, text[index] != needle[matched] { matched = borders[matched - 1] }
                    if text[index] == needle[matched] { matched += 1 }
                    if matched == needle.count { return index + 1 - matched }
                }
                return nil
            }
        }
    }

    /// For each beginning of the text, how much of it is also its end.
    private static func borders(of text: UnsafeBufferPointer<UInt8>) -> [Int] {
        var borders = [0]
        var length = 0
        for index in 1..<text.count {
            while length > 0, text[index] != text[length] { length = borders[length - 1] }
            if text[index] == text[length] { length += 1 }
            borders.append(length)
        }
        return borders
    }
}
