import Foundation
import Geometry
import Testing

/// Values of GeographicLib 2.1 (C. F. F. Karney, "Algorithms for geodesics", 2013), which shares nothing with this code: a
/// plan's point is where the geodesic of its length and direction from the plan's 0, 0 ends.
struct Plan: CustomTestStringConvertible {
    var latitude: Double
    var longitude: Double
    /// Direction of the y axis.
    var rotation: Double
    var points: [(x: Double, y: Double, latitude: Double, longitude: Double)]

    var testDescription: String { "\(latitude), \(longitude)" }

    var controlPoints: [ControlPoint] {
        points.prefix(4).map { ControlPoint(x: $0.x, y: $0.y, position: place($0.latitude, $0.longitude)) }
    }

    static let all = [
        Plan(
            latitude: 57.0582502, longitude: 9.9504788, rotation: 17.5,
            points: [
                (0, 0, 57.0582502000, 9.9504788000), (100, 0, 57.0579801620, 9.9520505765),
                (0, 80, 57.0589353352, 9.9508752736), (100, 80, 57.0586652922, 9.9524470761),
                (600, -800, 57.0497785479, 9.9559436204), (6000, 8000, 57.1104901595, 10.0846212034),
                (-12000, 9000, 57.1676473578, 9.8060416546),
            ]),
        Plan(
            latitude: -33.9, longitude: 179.999, rotation: 200,
            points: [
                (0, 0, -33.9, 179.999), (100, 0, -33.8996916489, 179.9979840418),
                (0, 80, -33.9006777405, 179.9987041738), (100, 80, -33.9003693870, 179.9976882086),
                (600, -800, -33.8913724642, 179.9958627838), (6000, 8000, -33.9492397721, 179.9084077892),
                (-12000, 9000, -34.0132144695, -179.9122473373),
            ]),
        Plan(
            latitude: 0, longitude: 0, rotation: 0,
            points: [
                (0, 0, 0, 0), (100, 0, 0, 0.0008983153), (0, 80, 0.0007234956, 0),
                (100, 80, 0.0007234956, 0.0008983153), (600, -800, -0.0072349558, 0.0053898917),
                (6000, 8000, 0.0723495470, 0.0538989455), (-12000, 9000, 0.0813932040, -0.1077979061),
            ]),
        Plan(
            latitude: 78.2, longitude: 15.6, rotation: 320,
            points: [
                (0, 0, 78.2, 15.6), (100, 0, 78.2005757136, 15.6033544502), (0, 80, 78.2005488969, 15.5977482307),
                (100, 80, 78.2011246368, 15.6011027264), (600, -800, 78.1979621652, 15.6426351413),
                (6000, 8000, 78.2894332791, 15.5759107717), (-12000, 9000, 78.1919128448, 14.9446018757),
            ]),
    ]
}

private func place(_ latitude: Double, _ longitude: Double) -> Position {
    guard let position = Position(latitude: latitude, longitude: longitude) else { preconditionFailure("test data") }
    return position
}

@Suite("Map frames")
struct MapFrameTests {
    @Test("A plan laid at its origin meets the geodesics: within 0.1 mm at 1 km, 5 mm at 10 km", arguments: Plan.all)
    func origin(plan: Plan) throws {
        let frame = MapFrame(origin: place(plan.latitude, plan.longitude), rotation: plan.rotation)
        for point in plan.points {
            let position = try #require(frame.position(x: point.x, y: point.y))
            let length = hypot(point.x, point.y)
            let tolerance = length > 10_000 ? 0.02 : length > 1_000 ? 0.005 : 0.0001
            #expect(position.distance(to: place(point.latitude, point.longitude)) < tolerance, "\(point)")
        }
        #expect(abs(frame.rotation - plan.rotation) < 1e-9)
        #expect(abs(frame.scale - 1) < 1e-12)
        #expect(!frame.isMirrored)
    }

    @Test(
        "A frame fitted to four corners of a building meets the geodesics far around it", arguments: Plan.all,
        [MapFit.Transform.similarity, .affine])
    func fitted(plan: Plan, transform: MapFit.Transform) throws {
        let fit = try MapFit(plan.controlPoints, transform)
        #expect(fit.largestResidual < 0.0001)
        #expect(fit.rms <= fit.largestResidual)
        #expect(fit.residuals.count == 4)
        #expect(!fit.isPoor)
        #expect(abs(fit.extent - hypot(100, 80)) < 0.001)
        for point in plan.points.prefix(5) {
            let position = try #require(fit.frame.position(x: point.x, y: point.y))
            // Ten decimals of a degree are 0.01 mm, and ten buildings away ten times as much.
            #expect(position.distance(to: place(point.latitude, point.longitude)) < 0.001, "\(point)")
        }
    }

    @Test("Two points are enough for a similarity, and lie where they were said to", arguments: Plan.all)
    func two(plan: Plan) throws {
        let fit = try MapFit([plan.controlPoints[0], plan.controlPoints[3]], .similarity)
        #expect(fit.largestResidual < 1e-6)
        let position = try #require(fit.frame.position(x: 100, y: 0))
        #expect(position.distance(to: plan.controlPoints[1].position) < 0.0001)
    }

    @Test("A plan in pixels has a scale, and one with a far origin loses nothing")
    func units() throws {
        let plan = Plan.all[0]
        let pixels = try MapFit(
            plan.controlPoints.map { ControlPoint(x: $0.x * 20, y: $0.y * 20, position: $0.position) }, .similarity)
        #expect(abs(pixels.frame.scale - 0.05) < 1e-6)
        #expect(
            try #require(pixels.frame.position(x: 2_000, y: 1_600)).distance(to: plan.controlPoints[3].position)
                < 0.0001)
        let grid = try MapFit(
            plan.controlPoints.map { ControlPoint(x: $0.x + 557_000, y: $0.y + 6_324_000, position: $0.position) },
            .similarity)
        #expect(
            try #require(grid.frame.position(x: 557_100, y: 6_324_080)).distance(to: plan.controlPoints[3].position)
                < 0.0001)
    }

    @Test("The squares of the residuals are least: a point that is off by 0.4 m in four pulls by a quarter of it")
    func leastSquares() throws {
        var points = Plan.all[2].controlPoints
        points[3].position = try #require(points[3].position.destination(distance: 0.4, bearing: 0))
        let fit = try MapFit(points, .affine)
        for residual in fit.residuals { #expect(abs(residual - 0.1) < 0.0001) }
        #expect(abs(fit.rms - 0.1) < 0.0001)
    }

    @Test(
        "A heading turns with the plan, and stays within 0 ≤ h < 360",
        arguments: [(0, 17.5), (90, 107.5), (342.5, 0), (359.9, 17.4), (200, 217.5)] as [(Double, Double)])
    func heading(onPlan: Double, expected: Double) throws {
        let frame = try MapFit(Plan.all[0].controlPoints, .similarity).frame
        let turned = frame.heading(onPlan)
        #expect((0..<360).contains(turned))
        #expect(abs((turned - expected + 540).truncatingRemainder(dividingBy: 360) - 180) < 0.001)
    }

    @Test(
        "North turns on the way: a heading far from the origin is the geodesic's there",
        arguments: [(1_000, 0, 0.013831), (10_000, 0, 0.138310), (0, 10_000, 0)] as [(Double, Double, Double)])
    func convergence(x: Double, y: Double, expected: Double) throws {
        let frame = MapFrame(origin: place(57.0582502, 9.9504788))
        let position = try #require(frame.position(x: x, y: y))
        #expect(abs(frame.heading(0, at: position) - expected) < 0.0002)
    }

    @Test("An affine map may be mirrored: what points up the image points to where up is")
    func mirrored() throws {
        // An image's rows run downward.
        let points = Plan.all[2].controlPoints.map { ControlPoint(x: $0.x, y: 80 - $0.y, position: $0.position) }
        let frame = try MapFit(points, .affine).frame
        #expect(frame.isMirrored)
        #expect(abs(frame.rotation - 180) < 0.001)
        // From y toward x, where y is south and x is east.
        #expect(abs(frame.heading(90) - 90) < 0.001)
        #expect(abs(frame.heading(0) - 180) < 0.001)
        #expect(abs(frame.heading(45) - 135) < 0.001)
    }

    @Test("A stretched scan is affine, and turns headings by what they come to")
    func stretched() throws {
        let points = Plan.all[2].controlPoints.map { ControlPoint(x: $0.x / 2, y: $0.y, position: $0.position) }
        let frame = try MapFit(points, .affine).frame
        #expect(abs(frame.stretch - 2) < 0.0001)
        #expect(abs(frame.scale - 2.0.squareRoot()) < 0.0001)
        #expect(abs(frame.heading(45) - atan2(2, 1) * 180 / .pi) < 0.001)
    }

    @Test(
        "A point that is nowhere near the map has no position",
        arguments: [(20_001, 0), (1e7, 0), (1e300, 1e300), (.infinity, 0), (0, .nan)] as [(Double, Double)])
    func reach(x: Double, y: Double) {
        let frame = MapFrame(origin: place(57, 10))
        #expect(frame.position(x: x, y: y) == nil)
        #expect(frame.position(x: 14_000, y: 14_000) != nil)
    }

    @Test("A map at a pole has positions all around it")
    func pole() throws {
        let frame = MapFrame(origin: place(90, 0))
        let position = try #require(frame.position(x: 1_000, y: 0))
        #expect(abs(position.distance(to: place(90, 0)) - 1_000) < 0.001)
        #expect(abs(position.longitude - 90) < 1e-9)
    }
}
