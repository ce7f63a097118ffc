internal import JSON

/// `at`: the element of an array, from 0.
final class ElementLookup: Node {
    private let index, list: Node

    private init(type: ExpressionType, index: Node, list: Node, key: String) {
        self.index = index
        self.list = list
        super.init(type, key: key, children: [index, list])
    }

    override func evaluate(
        _ feature: any ExpressionFeature, _ context: EvaluationContext
    ) throws(EvaluationError) -> Value {
        let index = try index.number(feature, context)
        let value = try list.evaluate(feature, context)
        guard case .array(let elements) = value else {
            throw EvaluationError(key, .unexpectedType(.array(of: .value, length: nil), value))
        }
        let text = NumberText.text(of: index)
        if index < 0 { throw EvaluationError(key, .other("Array index out of bounds: \(text) < 0.")) }
        if index >= Double(elements.count) {
            throw EvaluationError(
                key, .other("Array index out of bounds: \(text) > \(elements.count - 1)."))
        }
        guard let whole = Int(exactly: index) else {
            throw EvaluationError(
                key, .other("Array index must be an integer, but found \(text) instead."))
        }
        return elements[whole]
    }

    static func parse(_ arguments: Arguments, _ context: ParsingContext) -> Node? {
        guard arguments.count == 2 else {
            return context.error("Expected 2 arguments, but found \(arguments.count) instead.")
        }
        let index = context.parse(arguments[1], at: 1, expecting: .number)
        let wanted = ExpressionType.array(of: context.expected ?? .value, length: nil)
        let list = context.parse(arguments[2], at: 2, expecting: wanted)
        guard let index, let list else { return nil }
        var item = ExpressionType.value
        if case .array(let listItem, _) = list.type { item = listItem }
        return ElementLookup(type: item, index: index, list: list, key: context.key)
    }
}

/// `length`: of an array in elements, of a text in characters (code points).
final class Length: NumberNode {
    private let input: Node

    private init(_ input: Node, key: String) {
        self.input = input
        super.init(.number, key: key, children: [input])
    }

    override func number(
        _ feature: any ExpressionFeature, _ context: EvaluationContext
    ) throws(EvaluationError) -> Double {
        let value = try input.evaluate(feature, context)
        switch value {
        case .string(let text): return Double(text.unicodeScalars.count)
        case .array(let elements): return Double(elements.count)
        default:
            throw EvaluationError(
                key,
                .other("Expected value to be of type string or array, but found \(value.type) instead."))
        }
    }

    static func parse(_ arguments: Arguments, _ context: ParsingContext) -> Node? {
        guard arguments.count == 1 else {
            return context.error("Expected 1 argument, but found \(arguments.count) instead.")
        }
        guard let input = context.parse(arguments[1], at: 1) else { return nil }
        guard input.type.isArray || input.type == .string || input.type == .value else {
            return context.error(
                "Expected argument of type string or array, but found \(input.type) instead.")
        }
        return Length(input, key: context.key)
    }
}

/// `slice`: a part of an array or text. Negative indices count from the end; characters are code points.
final class Slice: Node {
    private let input, start: Node
    private let end: Node?

    private init(_ input: Node, start: Node, end: Node?, key: String) {
        self.input = input
        self.start = start
        self.end = end
        super.init(input.type, key: key, children: [input, start] + (end.map { [$0] } ?? []))
    }

    override func evaluate(
        _ feature: any ExpressionFeature, _ context: EvaluationContext
    ) throws(EvaluationError) -> Value {
        let value = try input.evaluate(feature, context)
        let start = try start.number(feature, context)
        let end = try end?.number(feature, context)
        switch value {
        case .string(let text):
            let scalars = Array(text.unicodeScalars)
            var piece = String.UnicodeScalarView()
            piece.append(contentsOf: scalars[Self.range(start, end, scalars.count)])
            return .string(String(piece))
        case .array(let elements):
            return .array(Array(elements[Self.range(start, end, elements.count)]))
        default:
            throw EvaluationError(
                key,
                .other(
                    "Expected first argument to be of type array or string, but found \(value.type) instead.")
            )
        }
    }

    private static func range(_ start: Double, _ end: Double?, _ count: Int) -> Range<Int> {
        func index(_ number: Double) -> Int {
            if number.isNaN { return 0 }
            let limit = Double(count)
            let whole = min(max(number.rounded(.towardZero), -limit), limit)
            return Int(whole < 0 ? whole + limit : whole)
        }
        let lower = index(start)
        return lower..<max(lower, end.map(index) ?? count)
    }

    static func parse(_ arguments: Arguments, _ context: ParsingContext) -> Node? {
        guard arguments.count == 2 || arguments.count == 3 else {
            return context.error("Expected 2 or 3 arguments, but found \(arguments.count) instead.")
        }
        let input = context.parse(arguments[1], at: 1, expecting: .value)
        let start = context.parse(arguments[2], at: 2, expecting: .number)
        guard let input, let start else { return nil }
        guard input.type.isArray || input.type == .string || input.type == .value else {
            return context.error(
                "Expected first argument to be of type array or string, but found \(input.type) instead")
        }
        guard arguments.count == 3 else {
            return Slice(input, start: start, end: nil, key: context.key)
        }
        guard let end = context.parse(arguments[3], at: 3, expecting: .number) else { return nil }
        return Slice(input, start: start, end: end, key: context.key)
    }
}
