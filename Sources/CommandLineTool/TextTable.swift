internal import Wording

/// Rows of text in columns as wide as their widest cell.
public struct TextTable: Sendable {
    /// One column's title and side.
    public struct Column: Sendable {
        public var title: String
        public var alignsRight: Bool

        public init(_ title: String, alignsRight: Bool = false) {
            self.title = title
            self.alignsRight = alignsRight
        }
    }

    public var columns: [Column]
    /// A cell too few is empty, one too many is not shown.
    public var rows: [[String]] = []

    public init(_ columns: [Column]) {
        self.columns = columns
    }

    /// The title line and one line for each row. Control characters in cells are spelled out.
    public var lines: [String] {
        let cells = rows.map { row in columns.indices.map { $0 < row.count ? Escape.text(row[$0]) : "" } }
        let all = [columns.map(\.title)] + cells
        let widths = columns.indices.map { column in all.map { TextWidth.of($0[column]) }.max() ?? 0 }
        return all.map { row in
            let padded = columns.indices.map { column in
                TextWidth.padded(row[column], to: widths[column], right: columns[column].alignsRight)
            }
            let line = padded.joined(separator: "  ")
            // Nothing to see in trailing spaces, and they would wrap.
            return String(line.reversed().drop { $0 == " " }.reversed())
        }
    }
}
