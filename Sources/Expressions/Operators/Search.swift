internal import JSON

/// What `in` and `index-of` share: a needle that is null or a scalar, and an array or text to find it in.
enum Search {
    static func isNeedle(_ type: ExpressionType) -> Bool {
        switch type {
        case .boolean, .string, .number, .null, .value: true
        default: false
        }
    }

    static func isNeedle(_ value: Value) -> Bool {
        switch value {
        case .bool, .string, .number, .null: true
        default: false
        }
    }

    /// The needle as ECMAScript's `indexOf` looks for it in a text.
    static func text(of needle: Value) -> String {
        if case .null = needle { "null" } else { needle.text }
    }

    static func needleFault(_ type: ExpressionType) -> String {
        "Expected first argument to be of type boolean, string, number or null, but found \(type) instead"
    }

    static func haystackFault(_ type: ExpressionType) -> String {
        "Expected second argument to be of type array or string, but found \(type) instead."
    }

    static func parse(
        _ arguments: Arguments, _ context: ParsingContext
    ) -> (needle: Node, haystack: Node)? {
        let needle = context.parse(arguments[1], at: 1, expecting: .value)
        let haystack = context.parse(arguments[2], at: 2, expecting: .value)
        guard let needle, let haystack else { return nil }
        guard isNeedle(needle.type) else {
            _ = context.error(needleFault(needle.type))
            return nil
        }
        return (needle, haystack)
    }
}

/// `in`
final class Containment: BooleanNode {
    private let needle, haystack: Node
    /// The haystack, where it is a constant list of texts, as it mostly is.
    private let texts: [ConstantText]?

    private init(_ needle: Node, _ haystack: Node, key: String) {
        self.needle = needle
        self.haystack = haystack
        texts = Self.texts(in: haystack)
        super.init(.boolean, key: key, children: [needle, haystack])
    }

    private static func texts(in haystack: Node) -> [ConstantText]? {
        guard case .array(let elements)? = (haystack as? Literal)?.value else { return nil }
        let texts = elements.compactMap { if case .string(let text) = $0 { ConstantText(text) } else { nil } }
        return texts.count == elements.count ? texts : nil
    }

    override func boolean(
        _ feature: any ExpressionFeature, _ context: EvaluationContext
    ) throws(EvaluationError) -> Bool {
        if let texts {
            let needle = try needle.evaluate(feature, context)
            if case .string(let text) = needle { return texts.contains { $0.equals(text) } }
            guard Search.isNeedle(needle) else {
                throw EvaluationError(key, .other(Search.needleFault(needle.type) + "."))
            }
            return false
        }
        let (needle, haystack) = (try needle.evaluate(feature, context), try haystack.evaluate(feature, context))
        switch haystack {
        // Nothing is in what ECMAScript takes as false.
        case .null, .bool(false), .number(0), .string(""): return false
        case .number(let number) where number.isNaN: return false
        default: break
        }
        guard Search.isNeedle(needle) else {
            throw EvaluationError(key, .other(Search.needleFault(needle.type) + "."))
        }
        switch haystack {
        case .array(let elements): return elements.contains { $0.isStrictlyEqual(to: needle) }
        case .string(let text):
            return text.offset(of: Search.text(of: needle)) != nil
        default: throw EvaluationError(key, .other(Search.haystackFault(haystack.type)))
        }
    }

    static func parse(_ arguments: Arguments, _ context: ParsingContext) -> Node? {
        guard arguments.count == 2 else {
            return context.error("Expected 2 arguments, but found \(arguments.count) instead.")
        }
        return Search.parse(arguments, context).map {
            Containment($0.needle, $0.haystack, key: context.key)
        }
    }
}

/// `index-of`: −1 where there is none. In texts the index counts characters (code points), while the start counts
/// UTF-16 units: upstream has it so.
final class IndexSearch: NumberNode {
    private let needle, haystack: Node
    private let start: Node?

    private init(_ needle: Node, _ haystack: Node, start: Node?, key: String) {
        self.needle = needle
        self.haystack = haystack
        self.start = start
        super.init(.number, key: key, children: [needle, haystack] + (start.map { [$0] } ?? []))
    }

    override func number(
        _ feature: any ExpressionFeature, _ context: EvaluationContext
    ) throws(EvaluationError) -> Double {
        let (needle, haystack) = (try needle.evaluate(feature, context), try haystack.evaluate(feature, context))
        guard Search.isNeedle(needle) else {
            throw EvaluationError(key, .other(Search.needleFault(needle.type) + "."))
        }
        let start = try start?.number(feature, context) ?? 0
        switch haystack {
        case .string(let text): return Self.index(of: Search.text(of: needle), in: text, from: start)
        case .array(let elements):
            let first = Self.clamped(start < 0 ? start + Double(elements.count) : start, elements.count)
            let index = elements[first...].firstIndex { $0.isStrictlyEqual(to: needle) }
            return index.map { Double($0) } ?? -1
        default: throw EvaluationError(key, .other(Search.haystackFault(haystack.type)))
        }
    }

    private static func clamped(_ number: Double, _ count: Int) -> Int {
        number.isNaN ? 0 : Int(min(max(number.rounded(.towardZero), 0), Double(count)))
    }

    private static func index(of needle: String, in text: String, from start: Double) -> Double {
        let units = text.utf16
        let first = units.index(units.startIndex, offsetBy: clamped(start, units.count))
        // A start between two halves of a character is one at the next character.
        let scalar = first.samePosition(in: text.unicodeScalars) ?? units.index(after: first)
        let offset = text.utf8.distance(from: text.startIndex, to: scalar)
        guard let found = text.offset(of: needle, from: offset) else { return -1 }
        let end = text.utf8.index(text.startIndex, offsetBy: found)
        return Double(text.unicodeScalars.distance(from: text.startIndex, to: end))
    }

    static func parse(_ arguments: Arguments, _ context: ParsingContext) -> Node? {
        guard arguments.count == 2 || arguments.count == 3 else {
            return context.error("Expected 2 or 3 arguments, but found \(arguments.count) instead.")
        }
        guard let (needle, haystack) = Search.parse(arguments, context) else { return nil }
        guard arguments.count == 3 else {
            return IndexSearch(needle, haystack, start: nil, key: context.key)
        }
        guard let start = context.parse(arguments[3], at: 3, expecting: .number) else { return nil }
        return IndexSearch(needle, haystack, start: start, key: context.key)
    }
}
