internal import Wording

/// One thing a program can do, as a value: its help text and its parser follow from it.
public struct Command: Sendable {
    /// One word or several: `run`, `gpx info`.
    public let name: String
    /// One line for the list of commands.
    public let summary: String
    public let operands: Operands
    public let options: [any OptionDeclaration]
    /// Lines for the end of the help text.
    public let notes: String
    let run: @Sendable (Arguments) throws -> ExitCode

    /// - Parameter run: May throw ``UsageError``; any other error is printed and ends the program with
    ///   ``ExitCode/failure``.
    public init(
        _ name: String, summary: String, operands: Operands = .none, options: [any OptionDeclaration] = [],
        notes: String = "", run: @escaping @Sendable (Arguments) throws -> ExitCode
    ) {
        self.name = name
        self.summary = summary
        self.operands = operands
        self.options = options
        self.notes = notes
        self.run = run
    }

    /// Reads the words after the command's name.
    ///
    /// The last of equal options counts, so that a script's own can be overruled behind it. `--` ends the options.
    public func parse(_ words: [String]) throws(UsageError) -> Arguments {
        var arguments = Arguments()
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--" {
                arguments.operands += rest
                break
            }
            // A lone dash is an operand: standard input.
            guard word.hasPrefix("-"), word != "-" else {
                arguments.operands.append(word)
                continue
            }
            try parseOption(word, &rest, into: &arguments)
        }
        try operands.check(arguments.operands)
        return arguments
    }

    private func parseOption(
        _ word: String, _ rest: inout ArraySlice<String>, into arguments: inout Arguments
    ) throws(UsageError) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let written = String(parts[0])
        guard let option = options.first(where: { "--" + $0.name == written }) else {
            throw unknownOption(written)
        }
        if parts.count == 2 {
            if option.placeholder == nil { throw UsageError("\(written) takes no value") }
            rest = [String(parts[1])] + rest
        } else if let placeholder = option.placeholder, rest.first?.hasPrefix("--") ?? true {
            // Another option is no value: `--broker --seed 3` forgot one.
            throw UsageError("\(written) needs a value: \(placeholder)")
        }
        do throws(UsageError) {
            arguments.values[option.name] = try option.read(&rest)
        } catch {
            throw UsageError("\(written): \(error.message)")
        }
    }

    private func unknownOption(_ written: String) -> UsageError {
        let known = options.map { "--" + $0.name } + ["--help", "--version"]
        let hint = Suggestion.closest(to: written, among: known).map { "; did you mean \($0)?" } ?? ""
        return UsageError("unknown option \(Escape.text(written))\(hint)")
    }
}

/// The words of a command that are no options, such as file names.
public struct Operands: Sendable {
    let placeholder: String
    let count: ClosedRange<Int>

    public static let none = Operands(placeholder: "", count: 0...0)

    /// - Parameter placeholder: As the usage line shows them: `FILE`, `[FILE…]`.
    public init(placeholder: String, count: ClosedRange<Int>) {
        self.placeholder = placeholder
        self.count = count
    }

    func check(_ operands: [String]) throws(UsageError) {
        if operands.count < count.lowerBound { throw UsageError("\(placeholder) is missing") }
        if operands.count > count.upperBound {
            throw UsageError("unexpected argument '\(Escape.text(operands[count.upperBound]))'")
        }
    }
}

/// A parsed command line.
public struct Arguments: Sendable {
    public internal(set) var operands: [String] = []
    var values: [String: any Sendable] = [:]

    /// The value given, or the option's default.
    public subscript<Value>(option: Option<Value>) -> Value {
        values[option.name] as? Value ?? option.defaultValue
    }

    /// Whether the option was written, for defaults that depend on other options.
    public func has<Value>(_ option: Option<Value>) -> Bool {
        values[option.name] != nil
    }
}
