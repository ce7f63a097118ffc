internal import JSON

/// The inputs of a `step` or `interpolate`, ascending, with their outputs.
struct Stops: Sendable {
  private(set) var inputs: [Double] = []
  private(set) var outputs: [any Node] = []

  /// The index of the last stop at or below the input: `nil` for NaN. Inputs below all stops have the first.
  func index(below input: Double) -> Int? {
    guard !input.isNaN else { return nil }
    var low = 0
    var high = inputs.count
    while low < high {
      let middle = (low + high) / 2
      if inputs[middle] <= input { low = middle + 1 } else { high = middle }
    }
    return max(0, low - 1)
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
    outputs.append(node)
    return true
  }
}

extension Arguments {
  /// The operator's name in messages about stops: `interpolate` also for its variants.
  fileprivate var kind: String { name == "step" ? "step" : "interpolate" }
}

/// `step`: the output of the last stop at or below the input.
final class Step: Node {
  let type: ExpressionType
  let key: String
  let traits: Traits
  let input: any Node
  let stops: Stops

  private init(type: ExpressionType, input: any Node, stops: Stops, key: String) {
    self.type = type
    self.input = input
    self.stops = stops
    self.key = key
    traits = .of([input] + stops.outputs)
  }

  var children: [any Node] { [input] + stops.outputs }

  private func chosen(_ context: EvaluationContext) throws(EvaluationError) -> any Node {
    guard let index = stops.index(below: try input.number(context)) else {
      throw EvaluationError(key, .other("Input is not a number."))
    }
    return stops.outputs[index]
  }

  func evaluate(_ context: EvaluationContext) throws(EvaluationError) -> Value {
    try chosen(context).evaluate(context)
  }

  func number(_ context: EvaluationContext) throws(EvaluationError) -> Double {
    try chosen(context).number(context)
  }

  func boolean(_ context: EvaluationContext) throws(EvaluationError) -> Bool {
    try chosen(context).boolean(context)
  }

  static func parse(_ arguments: Arguments, _ context: ParsingContext) -> (any Node)? {
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
