/// `concat`
final class Concatenation: Node {
    private let parts: NodeList

    init(_ parts: [Node], key: String) {
        self.parts = NodeList(parts)
        super.init(.string, key: key, children: parts)
    }

    override func evaluate(
        _ feature: any ExpressionFeature, _ context: EvaluationContext
    ) throws(EvaluationError) -> Value {
        var text = TextBuffer()
        try write(to: &text, feature, context)
        if text.isTooLong { throw EvaluationError(key, TextBuffer.fault) }
        return .string(text.text)
    }

    override func write(to text: inout TextBuffer, _ feature: any ExpressionFeature, _ context: EvaluationContext)
        throws(EvaluationError)
    {
        try parts.write(to: &text, feature, context)
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

    override func evaluate(
        _ feature: any ExpressionFeature, _ context: EvaluationContext
    ) throws(EvaluationError) -> Value {
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

    override func evaluate(
        _ feature: any ExpressionFeature, _ context: EvaluationContext
    ) throws(EvaluationError) -> Value {
        let text = try text.string(feature, context)
        let separator = try separator.string(feature, context)
        if separator.isEmpty { return .array(text.unicodeScalars.map { .string(String($0)) }) }
        let bytes = text.utf8
        var pieces: [Value] = []
        var start = 0
        func piece(to end: Int) -> Value {
            let (lower, upper) = (
                bytes.index(bytes.startIndex, offsetBy: start), bytes.index(bytes.startIndex, offsetBy: end)
            )
            return .string(String(text[lower..<upper]))
        }
        while let found = text.offset(of: separator, from: start) {
            pieces.append(piece(to: found))
            start = found + separator.utf8.count
        }
        pieces.append(piece(to: bytes.count))
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

    override func evaluate(
        _ feature: any ExpressionFeature, _ context: EvaluationContext
    ) throws(EvaluationError) -> Value {
        let value = try list.evaluate(feature, context)
        guard case .array(let elements) = value else {
            throw EvaluationError(key, .unexpectedType(.array(of: .string, length: nil), value))
        }
        let separator = try separator.string(feature, context)
        var text = TextBuffer()
        for (index, element) in elements.enumerated() {
            if index > 0 { text.append(separator) }
            text.append(element)
        }
        if text.isTooLong { throw EvaluationError(key, TextBuffer.fault) }
        return .string(text.text)
    }
}

/// `typeof`
final class TypeName: Node {
    private let value: Node

    init(_ value: Node, key: String) {
        self.value = value
        super.init(.string, key: key, children: [value])
    }

    override func evaluate(
        _ feature: any ExpressionFeature, _ context: EvaluationContext
    ) throws(EvaluationError) -> Value {
        .string(try value.evaluate(feature, context).type.description)
    }
}
