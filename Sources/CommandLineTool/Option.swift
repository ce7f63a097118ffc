/// One option of a command, written `--name VALUE` or `--name=VALUE`; a flag has no value.
///
/// A declaration, and the key to read the parsed value by: `arguments[count]`.
public struct Option<Value: Sendable>: Sendable, OptionDeclaration {
    /// Without the leading dashes.
    public let name: String
    /// How the help text calls the value; `nil` for a flag.
    public let placeholder: String?
    public let help: String
    /// What ``Arguments`` gives when the option is absent.
    public let defaultValue: Value
    let parser: ValueParser<Value>

    /// - Parameter help: One line. Says the default where there is one.
    public init(
        _ name: String, _ placeholder: String, _ parser: ValueParser<Value>, default defaultValue: Value, help: String
    ) {
        self.name = name
        self.placeholder = placeholder
        self.parser = parser
        self.defaultValue = defaultValue
        self.help = help
    }

    /// An option whose absence is `nil`.
    public init<Wrapped: Sendable>(
        _ name: String, _ placeholder: String, _ parser: ValueParser<Wrapped>, help: String
    ) where Value == Wrapped? {
        self.init(name, placeholder, parser.map { $0 }, default: nil, help: help)
    }

    public func read(_ words: inout ArraySlice<String>) throws(UsageError) -> any Sendable {
        try parser.read(&words)
    }
}

extension Option where Value == Bool {
    /// A flag: absent is `false`, present is `true`.
    public static func flag(_ name: String, help: String) -> Option {
        Option(flag: name, help: help)
    }

    private init(flag name: String, help: String) {
        self.name = name
        placeholder = nil
        parser = ValueParser { _ throws(UsageError) in true }
        defaultValue = false
        self.help = help
    }
}

/// What the parser and the help text need of an option, whatever its value's type.
public protocol OptionDeclaration: Sendable {
    var name: String { get }
    var placeholder: String? { get }
    var help: String { get }
    /// Takes the words of the value off the front.
    func read(_ words: inout ArraySlice<String>) throws(UsageError) -> any Sendable
}
