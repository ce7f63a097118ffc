/// `concat`
final class Concatenation: Node {
    private let parts: NodeList

    init(_ parts: [Node], key: String) {
        self.parts = NodeList(parts)
        super.init(.string, key: key, children: parts)
    }

    override func evaluate(_ feature: any ExpressionFeature, _ context: EvaluationContext) throws(EvaluationError)
        -> Value
    {
        var text = TextBuffer()
        try write(to: &text, feature, context)
        return .string(text.text)
    }

    override func write(to text: inout TextBuffer, _ feature: any ExpressionFeature, _ context: EvaluationContext)
        throws(EvaluationError)
    {
        try parts.forEach { (part) throws(EvaluationError) in try part.write(to: &text, feature, context) }
    }
}

/// `upcase` and `downcase`: Unicode's full mappings, of no language in particular.
final class CaseMapping: Node {
    private let text: Node
    private let isUpper: Bool

    init(_ text: Node, isUpper: Bool, key: String) {
        self.text = text
        self.isUpper = isUpper
        super.init(.string, key: key, children: [text])
    }

    override func evaluate(_ feature: any ExpressionFeature, _ context: EvaluationContext) throws(EvaluationError)
        -> Value
    {
        let text = try text.string(feature, context)
        return .string(text.mapped(toUpper: isUpper))
    }
}

/// `split`: without a separator into characters.
final class Split: Node {
    private let text, separator: Node

    init(_ text: Node, separator: Node, key: String) {
        self.text = text
        self.separator = separator
        super.init(.array(of: .string, length: nil), key: key, children: [text, separator])
    }

    override func evaluate(_ feature: any ExpressionFeature, _ context: EvaluationContext) throws(EvaluationError)
        -> Value
    {
        let text = try text.string(feature, context)
        let separator = Array(try separator.string(feature, context).utf8)
        if separator.isEmpty { return .array(text.unicodeScalars.map { .string(String($0)) }) }
        let bytes = Array(text.utf8)
        var pieces: [Value] = []
        var start = 0
        while let found = bytes.firstIndex(of: separator, from: start) {
            pieces.append(.string(String(decoding: bytes[start..<found], as: UTF8.self)))
            start = found + separator.count
        }
        pieces.append(.string(String(decoding: bytes[start...], as: UTF8.self)))
        return .array(pieces)
    }
}

/// `join`
final class Join: Node {
    private let list, separator: Node

    init(_ list: Node, separator: Node, key: String) {
        self.list = list
        self.separator = separator
        super.init(.string, key: key, children: [list, separator])
    }

    override func evaluate(_ feature: any ExpressionFeature, _ context: EvaluationContext) throws(EvaluationError)
        -> Value
    {
        let value = try list.evaluate(feature, context)
        guard case .array(let elements) = value else {
            throw EvaluationError(key, .unexpectedType(.array(of: .string, length: nil), value))
        }
        return .string(elements.map(\.text).joined(separator: try separator.string(feature, context)))
    }
}

extension Array where Element == UInt8 {
    /// Where the bytes stand first, from an index on.
    func firstIndex(of bytes: [UInt8], from start: Int) -> Int? {
        guard start + bytes.count <= count else { return nil }
        return (start...(count - bytes.count)).first {
            self[$0..<$0 + bytes.count].elementsEqual(bytes)
        }
    }
}

/// `typeof`
final class TypeName: Node {
    private let value: Node

    init(_ value: Node, key: String) {
        self.value = value
        super.init(.string, key: key, children: [value])
    }

    override func evaluate(_ feature: any ExpressionFeature, _ context: EvaluationContext) throws(EvaluationError)
        -> Value
    {
        .string(try value.evaluate(feature, context).type.description)
    }
}
