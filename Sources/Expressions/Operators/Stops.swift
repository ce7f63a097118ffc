internal import JSON

/// The inputs of a `step` or `interpolate`, ascending, with their outputs.
struct Stops {
    private(set) var inputs: [Double] = []
    private(set) var nodes: [Node] = []

    /// The index of the last stop at or below the input, or of the first stop: `nil` for NaN.
    func index(below input: Double) -> Int? {
        input.isNaN ? nil : max(0, inputs.count(notAbove: input) - 1)
    }

    /// Reads pairs of input and output.
    ///
    /// - Parameters:
    ///   - start: The index of the first pair's input.
    ///   - type: What the outputs have to be; the first output decides where nothing is expected.
    /// - Returns: `false` after an error was reported.
    mutating func read(
        _ arguments: Arguments, from start: Int, type: inout ExpressionType?, _ context: ParsingContext
    ) -> Bool {
        for index in stride(from: start, to: arguments.count, by: 2) {
            guard let input = arguments[index].number else {
                return context.error(
                    "Input/output pairs for \"\(arguments.kind)\" expressions must be defined using literal numeric "
                        + "values (not computed expressions) for the input values.", at: index) != nil
            }
            if let last = inputs.last, last >= input {
                return context.error(
                    "Input/output pairs for \"\(arguments.kind)\" expressions must be arranged with input values in "
                        + "strictly ascending order.", at: index) != nil
            }
            guard add(input, arguments[index + 1], at: index + 1, type: &type, context) else {
                return false
            }
        }
        return true
    }

    /// Adds a stop with an output that is still to be parsed.
    mutating func add(
        _ input: Double, _ output: JSONValue, at index: Int, type: inout ExpressionType?,
        _ context: ParsingContext
    ) -> Bool {
        guard let node = context.parse(output, at: index, expecting: type) else { return false }
        type = type ?? node.type
        inputs.append(input)
        nodes.append(node)
        return true
    }
}

extension [Double] {
    /// How many of the ascending numbers are not above the given one, which is a number.
    fileprivate func count(notAbove number: Double) -> Int {
        var low = 0
        var high = count
        while high - low > 4 {
            let middle = (low + high) / 2
            if self[middle] <= number { low = middle + 1 } else { high = middle }
        }
        while low < high, self[low] <= number { low += 1 }
        return low
    }
}

extension Arguments {
    /// The operator's name in messages about stops: `interpolate` also for its variants.
    fileprivate var kind: String { name == "step" ? "step" : "interpolate" }
}

/// `step`: the output of the last stop at or below the input.
final class Step: Choice {
    let input: Node
    /// Where each output but the first begins.
    let boundaries: [Double]

    private init(type: ExpressionType, input: Node, stops: Stops, key: String) {
        self.input = input
        boundaries = Array(stops.inputs.dropFirst())
        super.init(type, outputs: stops.nodes, key: key, children: [input] + stops.nodes)
    }

    override func chosen(
        _ feature: any ExpressionFeature, _ context: EvaluationContext
    ) throws(EvaluationError) -> Int {
        let value = try input.number(feature, context)
        guard !value.isNaN else { throw EvaluationError(key, .other("Input is not a number.")) }
        return boundaries.count(notAbove: value)
    }

    static func parse(_ arguments: Arguments, _ context: ParsingContext) -> Node? {
        let count = arguments.count
        guard count >= 4 else {
            return context.error("Expected at least 4 arguments, but found only \(count).")
        }
        guard count % 2 == 0 else { return context.error("Expected an even number of arguments.") }
        guard let input = context.parse(arguments[1], at: 1, expecting: .number) else { return nil }
        var type = context.expected == .value ? nil : context.expected
        var stops = Stops()
        guard stops.add(-.infinity, arguments[2], at: 2, type: &type, context),
            stops.read(arguments, from: 3, type: &type, context)
        else { return nil }
        return Step(type: type ?? .value, input: input, stops: stops, key: context.key)
    }
}
