/// Where something stands in a file.
public struct FilePlace: Sendable, Hashable {
    public var file: String
    /// Counted from 1.
    public var line: Int
    /// In Unicode scalars, counted from 1.
    public var column: Int

    public init(file: String, line: Int, column: Int) {
        self.file = file
        self.line = line
        self.column = column
    }
}

extension FilePlace: CustomStringConvertible {
    /// `fleet-bridge.yaml:12:5`
    public var description: String { "\(file):\(line):\(column)" }
}

/// Where an expression stands, and each of its elements.
public struct ExpressionPlaces: Sendable {
    public var line: Int
    public var column: Int
    public var elements: [ExpressionPlaces]

    public init(line: Int, column: Int, elements: [ExpressionPlaces] = []) {
        self.line = line
        self.column = column
        self.elements = elements
    }

    /// The element that indices lead to, or the last one on the way that exists.
    func place(at path: [Int], in file: String) -> FilePlace {
        var found = self
        for index in path {
            guard found.elements.indices.contains(index) else { break }
            found = found.elements[index]
        }
        return FilePlace(file: file, line: found.line, column: found.column)
    }
}

/// Where a rule and its parts stand, for whoever asks why it did what it did.
public struct RulePlaces: Sendable {
    public var rule: FilePlace
    public var when: ExpressionPlaces?
    public var until: ExpressionPlaces?
    /// Of the values in `set`, in their order.
    public var values: [ExpressionPlaces] = []

    public init(rule: FilePlace) { self.rule = rule }
}
