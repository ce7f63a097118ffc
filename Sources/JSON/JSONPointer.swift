/// Where a value stands in a JSON document: JSON Pointer (RFC 6901), with one word more.
///
/// In an array, a token `key=value` is the first element that is an object with this member, a text or a number:
/// `/datastreams/id=posX/current_value`. In RFC 6901 such a token leads nowhere; in an object it stays a key.
public struct JSONPointer: Sendable, Hashable {
    /// As it is written.
    public let text: String
    private let tokens: [PointerToken]

    /// - Returns: `nil` for a text that neither is empty nor begins with `/`, or with a `~` that is neither `~0` nor `~1`.
    public init?(_ text: String) {
        guard text.isEmpty || text.utf8.first == UInt8(ascii: "/") else { return nil }
        var tokens: [PointerToken] = []
        for part in text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst() {
            guard let key = Self.unescape(String(Substring(part))) else { return nil }
            tokens.append(PointerToken(key))
        }
        self.text = text
        self.tokens = tokens
    }

    public static func == (a: JSONPointer, b: JSONPointer) -> Bool { a.text.hasSameBytes(as: b.text) }
    public func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }

    /// - Returns: `nil` where nothing stands there.
    public func value(in document: JSONValue) -> JSONValue? {
        var value = document
        for token in tokens {
            guard let next = token.step(into: value) else { return nil }
            value = next.value
        }
        return value
    }

    /// The pointer without the word more: `key=value` as the index of the element in a document, where it is found.
    public func plainText(in document: JSONValue) -> String {
        guard tokens.contains(where: { $0.wanted != nil }) else { return text }
        var value: JSONValue? = document
        return tokens.reduce("") { path, token in
            let next = value.flatMap { token.step(into: $0) }
            value = next?.value
            return path + "/" + (next?.index.map(String.init) ?? Self.escape(token.key))
        }
    }

    /// A key as a reference token: `~` and `/` escaped.
    public static func escape(_ key: String) -> String {
        guard key.utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }) else { return key }
        var result = ""
        for scalar in key.unicodeScalars {
            switch scalar {
            case "~": result += "~0"
            case "/": result += "~1"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    private static func unescape(_ token: String) -> String? {
        guard token.utf8.contains(UInt8(ascii: "~")) else { return token }
        var result = String.UnicodeScalarView()
        var scalars = token.unicodeScalars.makeIterator()
        while let scalar = scalars.next() {
            guard scalar == "~" else {
                result.append(scalar)
                continue
            }
            switch scalars.next() {
            case "0": result.append("~")
            case "1": result.append("/")
            default: return nil
            }
        }
        return String(result)
    }
}

private struct PointerToken: Hashable {
    let key: String
    let index: Int?
    /// The member that the element of an array must have.
    let wanted: WantedMember?

    init(_ key: String) {
        self.key = key
        // Digits without a leading zero.
        index = key == "0" || key.utf8.first.map { 0x31...0x39 ~= $0 } == true ? Int(key) : nil
        let parts = key.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        wanted =
            parts.count == 2 && !parts[0].isEmpty ? WantedMember(key: String(parts[0]), value: String(parts[1])) : nil
    }

    /// One level further in; with the index where it was looked for by a member.
    func step(into value: JSONValue) -> (value: JSONValue, index: Int?)? {
        switch value {
        case .object(let object): return object[key].map { ($0, nil) }
        case .array(let elements):
            if let wanted {
                guard let index = elements.firstIndex(where: wanted.isMember) else { return nil }
                return (elements[index], index)
            }
            guard let index, elements.indices.contains(index) else { return nil }
            return (elements[index], nil)
        default: return nil
        }
    }
}

private struct WantedMember: Hashable {
    let key: String
    let value: String

    func isMember(of element: JSONValue) -> Bool {
        switch element.object?[key] {
        case .string(let text)?: text.hasSameBytes(as: value)
        case .number(let number)?: JSONNumber.text(of: number).hasSameBytes(as: value)
        case .bigInteger(let digits)?: digits.hasSameBytes(as: value)
        default: false
        }
    }
}

/// For pointers that the program knows: what is none there is a fault of the program.
extension JSONPointer: ExpressibleByStringLiteral {
    public init(stringLiteral text: String) {
        guard let pointer = JSONPointer(text) else { preconditionFailure("\(text) is no JSON Pointer") }
        self = pointer
    }
}
