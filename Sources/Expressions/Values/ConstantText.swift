internal import JSON

/// A text that others are compared with, by bytes.
struct ConstantText: Sendable {
    let text: String
    private let isASCII: Bool

    init(_ text: String) {
        self.text = text
        isASCII = text.utf8.allSatisfy { $0 < 0x80 }
    }

    func equals(_ other: String) -> Bool {
        guard text.utf8.count == other.utf8.count else { return false }
        // Swift's `==` is faster, and no other text of as many bytes is canonically equivalent to one in ASCII.
        return isASCII ? text == other : text.hasSameBytes(as: other)
    }
}
