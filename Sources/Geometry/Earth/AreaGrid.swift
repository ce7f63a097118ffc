/// Finds the areas that a point is in, among many: a grid over all of them, each cell with the areas that meet it.
public struct AreaGrid: Sendable {
    /// An area in a cell.
    private struct Entry: Sendable {
        let area: Int32
        /// The whole cell is in it: nothing is left to be computed.
        let coversCell: Bool
    }

    private let areas: [PlaneArea]
    private let cells: PlaneCells
    /// Where each cell's entries begin; one more at the end.
    private var starts: [Int32] = [0]
    private var entries: [Entry] = []

    public init(_ areas: [PlaneArea]) {
        self.areas = areas
        cells = PlaneCells(around: areas.map(\.box))
        var found: [[Entry]] = Array(repeating: [], count: cells.count)
        for (number, area) in areas.enumerated() { add(area, Int32(number), to: &found) }
        for cell in found {
            entries += cell
            starts.append(Int32(entries.count))
        }
    }

    private func add(_ area: PlaneArea, _ number: Int32, to found: inout [[Entry]]) {
        var touched = Set<Int>()
        for edge in area.edges { cells.forEachCell(on: edge) { touched.insert($0) } }
        cells.forEachCell(in: area.box) { cell in
            if touched.contains(cell) {
                found[cell].append(Entry(area: number, coversCell: false))
            } else if area.roughlyContains(cells.middle(of: cell)) {
                found[cell].append(Entry(area: number, coversCell: true))
            }
        }
    }

    /// Calls with the index of every area that a point is in or on the border of.
    public func forEachArea(at point: PlanePoint, _ body: (Int) -> Void) {
        guard let cell = cells.cell(at: point) else { return }
        for index in Int(starts[cell])..<Int(starts[cell + 1]) {
            let entry = entries[index]
            if entry.coversCell || areas[Int(entry.area)].contains(point) { body(Int(entry.area)) }
        }
    }

    /// The areas that may come as near to a box as that, in their order.
    ///
    /// - Parameter distance: Metres.
    public func areas(mayBeWithin distance: Double, of box: PlaneBox) -> [Int] {
        var found = Set<Int32>()
        cells.forEachCell(in: box.widened(by: distance)) { cell in
            for index in Int(starts[cell])..<Int(starts[cell + 1]) { found.insert(entries[index].area) }
        }
        return found.map(Int.init).sorted()
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
