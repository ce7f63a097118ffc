internal import Foundation

/// A grid of square cells over things in a plane, which an index is made of. It reaches a millimetre beyond them, for points
/// that are just beside a border.
struct PlaneCells: Sendable {
    private static let rim = 1e-3

    private let origin: PlanePoint
    private let size: Double
    private let columns: Int
    private let rows: Int

    /// - Parameter boxes: What the things take up: with more of them, cells are smaller.
    init(around boxes: [PlaneBox]) {
        guard var box = boxes.first else {
            (origin, size, columns, rows) = (PlanePoint(x: 0, y: 0), 1, 0, 0)
            return
        }
        for other in boxes { box.include(other) }
        // About two cells to a thing, of a metre at least: smaller ones only cost memory.
        let (width, height) = (box.width + 2 * Self.rim, box.height + 2 * Self.rim)
        size = max(1, (width * height / Double(2 * boxes.count + 64)).squareRoot(), max(width, height) / 4_096)
        origin = PlanePoint(x: box.least.x - Self.rim, y: box.least.y - Self.rim)
        columns = Int((width / size).rounded(.up))
        rows = Int((height / size).rounded(.up))
    }

    var count: Int { columns * rows }

    func cell(at point: PlanePoint) -> Int? {
        let (x, y) = ((point.x - origin.x) / size, (point.y - origin.y) / size)
        guard x >= 0, y >= 0, x < Double(columns), y < Double(rows) else { return nil }  // NaN, too
        return Int(y) * columns + Int(x)
    }

    func middle(of cell: Int) -> PlanePoint {
        PlanePoint(
            x: origin.x + (Double(cell % columns) + 0.5) * size, y: origin.y + (Double(cell / columns) + 0.5) * size)
    }

    /// Calls with the cells that a box meets, and with those on the rim for what is outside.
    func forEachCell(in box: PlaneBox, _ body: (Int) -> Void) {
        guard count > 0 else { return }
        func cells(_ least: Double, _ greatest: Double, _ count: Int) -> ClosedRange<Int> {
            func cell(_ value: Double) -> Int { Int(min(max(0, (value / size).rounded(.down)), Double(count - 1))) }
            return cell(least - Self.rim)...cell(greatest + Self.rim)
        }
        let across = cells(box.least.x - origin.x, box.greatest.x - origin.x, columns)
        for row in cells(box.least.y - origin.y, box.greatest.y - origin.y, rows) {
            for column in across { body(row * columns + column) }
        }
    }

    /// Calls with the cells that an edge meets, or whose surroundings of a millimetre it meets.
    func forEachCell(on edge: PlaneEdge, _ body: (Int) -> Void) {
        let half = size / 2 + Self.rim
        let (dx, dy) = (edge.b.x - edge.a.x, edge.b.y - edge.a.y)
        forEachCell(in: edge.box) { cell in
            let middle = middle(of: cell)
            // The cell is on one side of the edge's line where the line is farther than the cell reaches across it.
            let across = abs(dx * (middle.y - edge.a.y) - dy * (middle.x - edge.a.x))
            if across <= half * (abs(dx) + abs(dy)) { body(cell) }
        }
    }
}
