import Geometry
import Testing

@Suite("Control points that give no map")
struct MapFitTests {
    private let corners = Plan.all[0].controlPoints

    private func error(_ points: [ControlPoint], _ transform: MapFit.Transform = .similarity) -> MapFitError? {
        do throws(MapFitError) {
            _ = try MapFit(points, transform)
            return nil
        } catch {
            return error
        }
    }

    private func mirrored(_ points: [ControlPoint]) -> [ControlPoint] {
        points.map { ControlPoint(x: $0.x, y: -$0.y, position: $0.position) }
    }

    private func swapped(_ point: ControlPoint) -> ControlPoint {
        guard let position = Position(latitude: point.position.longitude, longitude: point.position.latitude) else {
            preconditionFailure("test data")
        }
        return ControlPoint(x: point.x, y: point.y, position: position)
    }

    private func moved(_ point: ControlPoint, _ distance: Double) -> ControlPoint {
        ControlPoint(
            x: point.x, y: point.y,
            position: point.position.destination(distance: distance, bearing: 70) ?? point.position)
    }

    @Test("Too few")
    func tooFew() {
        #expect(error([]) == .tooFew(needed: 2))
        #expect(error([corners[0]]) == .tooFew(needed: 2))
        #expect(error(Array(corners[..<2]), .affine) == .tooFew(needed: 3))
    }

    @Test("Two in one place, on the plan or on the earth")
    func samePlace() {
        let samePlan = ControlPoint(x: 0, y: 0, position: corners[3].position)
        #expect(error([corners[0], corners[1], samePlan]) == .samePlace(2, 0, .plan))
        let sameEarth = ControlPoint(x: 7, y: 7, position: corners[1].position)
        #expect(error([corners[0], corners[1], sameEarth]) == .samePlace(2, 1, .earth))
        #expect(error([corners[0], corners[0]]) == .samePlace(1, 0, .plan))
    }

    @Test("On one line nothing tells what is across it; a similarity needs no more")
    func line() {
        let line = [0, 1, 2].map { step in
            ControlPoint(
                x: 50 * Double(step), y: 0,
                position: corners[0].position.destination(distance: 50 * Double(step), bearing: 30)
                    ?? corners[0].position)
        }
        #expect(error(line, .affine) == .onOneLine(.plan))
        #expect(error(line, .similarity) == nil)
        var bent = line
        bent[1].y = 40
        #expect(error(bent, .affine) == .onOneLine(.earth))
    }

    @Test("Too far apart: the stranger is named, and whether its degrees are exchanged")
    func farApart() {
        #expect(error([corners[0], swapped(corners[1])]) == .tooFarApart(1, 0, isSwapped: true))
        #expect(error([swapped(corners[0]), corners[1], corners[2]]) == .tooFarApart(0, 1, isSwapped: true))
        let far = moved(corners[1], 20_200)
        #expect(error([corners[0], far]) == .tooFarApart(1, 0, isSwapped: false))
    }

    @Test("A plan with its y axis downward is mirrored: a similarity says so, an affine map takes it")
    func mirror() {
        #expect(error(mirrored(corners)) == .mirrored)
        #expect(error(mirrored(Array(corners[..<3]))) == .mirrored)
        #expect(error(mirrored(corners), .affine) == nil)
    }

    @Test("A corridor is seen to be mirrored, too, though it nearly fits")
    func corridor() throws {
        let points = try [(0, 0), (100, 0), (100, 3), (0, 3)].map { (x: Double, y: Double) in
            let origin = MapFrame(origin: corners[0].position, rotation: 40)
            return ControlPoint(x: x, y: -y, position: try #require(origin.position(x: x, y: y)))
        }
        #expect(error(points) == .mirrored)
        #expect(error(points.map { ControlPoint(x: $0.x, y: -$0.y, position: $0.position) }) == nil)
    }

    @Test("Latitude and longitude of all points exchanged")
    func allSwapped() { #expect(error(corners.map(swapped)) == .allSwapped) }

    @Test("One point's degrees or axes exchanged: it is named")
    func oneSwapped() throws {
        // Where latitude and longitude are nearly equal the exchanged point is not far.
        let origin = MapFrame(origin: try #require(Position(latitude: 45.001, longitude: 45)))
        var points = try [(0, 0), (100, 0), (100, 60), (0, 60)].map { (x: Double, y: Double) in
            ControlPoint(x: x, y: y, position: try #require(origin.position(x: x, y: y)))
        }
        points[2] = swapped(points[2])
        guard case .outlier(2, _, .degrees)? = error(points) else {
            Issue.record("\(String(describing: error(points)))")
            return
        }
        var axes = corners
        (axes[3].x, axes[3].y) = (20, 100)
        axes[3] = ControlPoint(x: 80, y: 100, position: corners[3].position)
        guard case .outlier(3, _, .axes)? = error(axes) else {
            Issue.record("\(String(describing: error(axes)))")
            return
        }
    }

    @Test("One of four that does not fit to the others is named, with how far off it is")
    func outlier() {
        var points = corners
        points[1] = moved(points[1], 60)
        guard case .outlier(1, let residual, nil)? = error(points) else {
            Issue.record("\(String(describing: error(points)))")
            return
        }
        #expect(residual > 10 && residual < 60)
    }

    @Test("Of three that contradict each other, the one that is farthest off")
    func contradiction() {
        var points = Array(corners[..<3])
        points[1] = moved(points[1], 80)
        guard case .contradicting(_, let residual)? = error(points) else {
            Issue.record("\(String(describing: error(points)))")
            return
        }
        #expect(residual > 0.1 * 100)
    }

    @Test(
        "A survey that is a little off is used, and looked at where it is more",
        arguments: [(0.05, false), (0.5, false), (4, true), (12, true)])
    func poor(offset: Double, isPoor: Bool) throws {
        var points = corners
        points[2] = moved(points[2], offset)
        #expect(try MapFit(points, .similarity).isPoor == isPoor)
    }
}
