/// Where something stands in a file.
public struct YAMLPlace: Sendable, Hashable {
    /// Counted from 1.
    public var line: Int
    /// In Unicode scalars, counted from 1.
    public var column: Int

    public init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }
}

extension YAMLPlace: Comparable, CustomStringConvertible {
    public static func < (a: YAMLPlace, b: YAMLPlace) -> Bool { (a.line, a.column) < (b.line, b.column) }

    /// `12:5`
    public var description: String { "\(line):\(column)" }
}

/// What cannot be read, and where.
public struct YAMLError: Error, Hashable, Sendable {
    public var place: YAMLPlace
    /// For people; text from the file in it is not escaped.
    public var message: String

    public init(_ place: YAMLPlace, _ message: String) {
        self.place = place
        self.message = message
    }
}
