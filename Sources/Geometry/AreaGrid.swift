internal import Foundation

/// Finds the areas that a point is in, among many: a grid over all of them, each cell with the areas that meet it.
public struct AreaGrid: Sendable {
    /// An area in a cell.
    private struct Entry: Sendable {
        let area: Int32
        /// The whole cell is in it: nothing is left to be computed.
        let coversCell: Bool
    }

    private let areas: [PlaneArea]
    private let origin: PlanePoint
    private let cellSize: Double
    private let columns: Int
    private let rows: Int
    /// Where each cell's entries begin; one more at the end.
    private var starts: [Int32] = [0]
    private var entries: [Entry] = []

    public init(_ areas: [PlaneArea]) {
        self.areas = areas
        guard let first = areas.first else {
            (origin, cellSize, columns, rows) = (PlanePoint(x: 0, y: 0), 1, 0, 0)
            return
        }
        var box = first.box
        for area in areas { box.include(area.box) }
        // About two cells to an area, of a metre at least: smaller ones only cost memory.
        let (width, height) = (box.width + 2e-3, box.height + 2e-3)
        cellSize = max(1, (width * height / Double(2 * areas.count + 64)).squareRoot(), max(width, height) / 4_096)
        // A little more than the areas, for points that are just beside the border.
        origin = PlanePoint(x: box.least.x - 1e-3, y: box.least.y - 1e-3)
        columns = Int((width / cellSize).rounded(.up))
        rows = Int((height / cellSize).rounded(.up))
        var cells: [[Entry]] = Array(repeating: [], count: columns * rows)
        for (number, area) in areas.enumerated() { add(area, Int32(number), to: &cells) }
        for cell in cells {
            entries += cell
            starts.append(Int32(entries.count))
        }
    }

    private func add(_ area: PlaneArea, _ number: Int32, to cells: inout [[Entry]]) {
        let box = range(of: area.box)
        var touched = Set<Int>()
        for edge in area.edges {
            var edgeBox = PlaneBox(edge.a)
            edgeBox.include(edge.b)
            let cells = range(of: edgeBox)
            for row in cells.rows {
                for column in cells.columns where meets(edge, column: column, row: row) {
                    touched.insert(row * columns + column)
                }
            }
        }
        for row in box.rows {
            for column in box.columns {
                let cell = row * columns + column
                if touched.contains(cell) {
                    cells[cell].append(Entry(area: number, coversCell: false))
                } else if area.roughlyContains(middle(column: column, row: row)) {
                    cells[cell].append(Entry(area: number, coversCell: true))
                }
            }
        }
    }

    private func middle(column: Int, row: Int) -> PlanePoint {
        PlanePoint(x: origin.x + (Double(column) + 0.5) * cellSize, y: origin.y + (Double(row) + 0.5) * cellSize)
    }

    /// Whether an edge meets a cell or its surroundings of a millimetre.
    private func meets(_ edge: PlaneEdge, column: Int, row: Int) -> Bool {
        let middle = middle(column: column, row: row)
        let half = cellSize / 2 + 1e-3
        // The cell is on one side of the edge's line where the line is farther than the cell reaches across it.
        let (dx, dy) = (edge.b.x - edge.a.x, edge.b.y - edge.a.y)
        let across = abs(dx * (middle.y - edge.a.y) - dy * (middle.x - edge.a.x))
        return across <= half * (abs(dx) + abs(dy))
    }

    private func range(of box: PlaneBox) -> (columns: ClosedRange<Int>, rows: ClosedRange<Int>) {
        func cell(_ value: Double, _ count: Int) -> Int {
            min(max(0, Int((value / cellSize).rounded(.down))), count - 1)
        }
        return (
            cell(box.least.x - 1e-3 - origin.x, columns)...cell(box.greatest.x + 1e-3 - origin.x, columns),
            cell(box.least.y - 1e-3 - origin.y, rows)...cell(box.greatest.y + 1e-3 - origin.y, rows)
        )
    }

    /// Calls with the index of every area that a point is in or on the border of.
    public func forEachArea(at point: PlanePoint, _ body: (Int) -> Void) {
        let (x, y) = ((point.x - origin.x) / cellSize, (point.y - origin.y) / cellSize)
        guard x >= 0, y >= 0, x < Double(columns), y < Double(rows) else { return }  // NaN, too
        let cell = Int(y) * columns + Int(x)
        for index in Int(starts[cell])..<Int(starts[cell + 1]) {
            let entry = entries[index]
            if entry.coversCell || areas[Int(entry.area)].contains(point) { body(Int(entry.area)) }
        }
    }

    /// The smallest area that a point is in; of equal ones the first.
    public func smallestArea(at point: PlanePoint) -> Int? {
        var (found, size): (Int?, Double) = (nil, .infinity)
        forEachArea(at: point) { index in
            if areas[index].size < size { (found, size) = (index, areas[index].size) }
        }
        return found
    }
}
