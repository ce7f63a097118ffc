internal import CICU

/// A language by its BCP 47 tag, as far as its data is here.
struct LanguageTag: Sendable {
    /// What stands in for languages without data, and where none is named.
    static let fallback = LanguageTag(resolved: "en-US")

    /// The tag that was found.
    let text: String

    private init(resolved text: String) { self.text = text }

    /// Finds a tag's data, after leaving out as many of its last parts as needed; else takes ``fallback``.
    ///
    /// - Returns: `nil` for text that is no tag.
    init?(_ tag: String) {
        let parts = tag.split(separator: "-", omittingEmptySubsequences: false)
        guard let language = parts.first, (2...8).contains(language.utf8.count),
            parts.allSatisfy(Self.isSubtag),
            language.utf8.allSatisfy({ ($0 | 0x20) >= UInt8(ascii: "a") })
        else { return nil }
        // Extensions (-u-…) say how to sort, not where the data is.
        var known = Array(parts.prefix { $0.utf8.count > 1 })
        while !known.isEmpty {
            if let found = Self.available[known.joined(separator: "-").lowercased()] {
                text = found
                return
            }
            known.removeLast()
        }
        self = .fallback
    }

    private static func isSubtag(_ part: Substring) -> Bool {
        (1...8).contains(part.utf8.count)
            && part.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "a")...UInt8(ascii: "z"):
                    true
                default: false
                }
            }
    }

    /// ICU's name of the language.
    var identifier: String { text.replacing("-", with: "_") }

    /// All languages with data: tags in lower case with their usual spelling.
    private static let available: [String: String] = {
        var tags: [String: String] = [:]
        for index in 0..<icu_localeCount() {
            guard let name = icu_localeAt(index) else { continue }
            let tag = String(cString: name).replacing("_", with: "-")
            tags[tag.lowercased()] = tag
        }
        return tags
    }()
}
