internal import JSON

/// `match`: the output whose label equals the input.
final class Match: Choice {
    /// The index of the output of each label.
    private enum Labels: Sendable {
        case numbers([Double: Int])
        /// A few texts are found faster by looking at each than by hashing.
        case fewTexts([(label: ConstantText, output: Int)])
        case texts([TextKey: Int])
    }

    private let input: Node
    private let labels: Labels
    private let otherwise: Int

    private init(
        type: ExpressionType, input: Node, labels: Labels, outputs: [Node], otherwise: Node, key: String
    ) {
        self.input = input
        self.labels = labels
        self.otherwise = outputs.count
        super.init(
            type, outputs: outputs + [otherwise], key: key, children: [input] + outputs + [otherwise])
    }

    override func chosen(
        _ feature: any ExpressionFeature, _ context: EvaluationContext
    ) throws(EvaluationError) -> Int {
        let value = try input.evaluate(feature, context)
        switch labels {
        case .numbers(let indices):
            guard case .number(let number) = value else { return otherwise }
            return indices[number] ?? otherwise
        case .fewTexts(let entries):
            guard case .string(let text) = value else { return otherwise }
            for index in entries.indices where entries[index].label.equals(text) { return entries[index].output }
            return otherwise
        case .texts(let indices):
            guard case .string(let text) = value else { return otherwise }
            return indices[TextKey(text)] ?? otherwise
        }
    }

    static func parse(_ arguments: Arguments, _ context: ParsingContext) -> Node? {
        let count = arguments.count
        guard count >= 4 else {
            return context.error("Expected at least 4 arguments, but found only \(count).")
        }
        guard count % 2 == 0 else { return context.error("Expected an even number of arguments.") }
        var type = context.expected == .value ? nil : context.expected
        var reader = LabelReader()
        var outputs: [Node] = []
        for index in stride(from: 2, to: count, by: 2) {
            guard reader.read(arguments[index], output: outputs.count, in: context.child(index)) else {
                return nil
            }
            // Upstream gives an output the path of its label.
            guard
                let output = context.parse(
                    arguments[index + 1], at: index, steps: [.index(index + 1)], expecting: type)
            else {
                return nil
            }
            type = type ?? output.type
            outputs.append(output)
        }
        guard let input = context.parse(arguments[1], at: 1, expecting: .value),
            let otherwise = context.parse(arguments[count], at: count, expecting: type)
        else { return nil }
        if input.type != .value, let labelType = reader.type {
            guard context.child(1).check(input.type, fits: labelType) else { return nil }
        }
        let labels: Labels =
            reader.type == .number
            ? .numbers(reader.numbers)
            : reader.texts.count <= 8
                ? .fewTexts(reader.texts.map { (ConstantText($0.key.text), $0.value) })
                : .texts(reader.texts)
        return Match(
            type: type ?? otherwise.type, input: input, labels: labels, outputs: outputs,
            otherwise: otherwise,
            key: context.key)
    }
}

/// Collects the labels of a `match`: all texts or all whole numbers, each once.
private struct LabelReader {
    private(set) var type: ExpressionType?
    private(set) var numbers: [Double: Int] = [:]
    private(set) var texts: [TextKey: Int] = [:]

    private static let largestInteger = 9_007_199_254_740_991.0

    mutating func read(_ json: JSONValue, output: Int, in context: ParsingContext) -> Bool {
        let labels = json.array ?? [json]
        guard !labels.isEmpty else {
            return context.error("Expected at least one branch label.") != nil
        }
        for label in labels {
            let labelType: ExpressionType
            switch label {
            case .number(let number) where number.magnitude <= Self.largestInteger:
                guard number.rounded() == number else {
                    return context.error("Numeric branch labels must be integer values.") != nil
                }
                labelType = .number
            case .number, .bigInteger:
                return context.error("Branch labels must be integers no larger than 9007199254740991.")
                    != nil
            case .string: labelType = .string
            default: return context.error("Branch labels must be numbers or strings.") != nil
            }
            if let type, !context.check(labelType, fits: type) { return false }
            type = type ?? labelType
            guard insert(label, output) else {
                return context.error("Branch labels must be unique.") != nil
            }
        }
        return true
    }

    private mutating func insert(_ label: JSONValue, _ output: Int) -> Bool {
        if case .string(let text) = label {
            return texts.updateValue(output, forKey: TextKey(text)) == nil
        }
        return label.number.map { numbers.updateValue(output, forKey: $0) == nil } ?? false
    }
}
