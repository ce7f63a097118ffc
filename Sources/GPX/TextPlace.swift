/// A place in a text file, both from 1.
public struct TextPlace: Sendable, Hashable, CustomStringConvertible {
    public var line: Int
    public var column: Int

    public init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    /// `line:column`, to be put behind the file's name.
    public var description: String { "\(line):\(column)" }
}
