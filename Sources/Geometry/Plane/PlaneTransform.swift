internal import Foundation

/// A linear map of a plan's coordinates to metres east and north of a point.
struct PlaneTransform: Sendable, Hashable {
    /// What east and north gain with each unit of x and of y.
    var eastByX: Double
    var eastByY: Double
    var northByX: Double
    var northByY: Double
    var east = 0.0
    var north = 0.0

    /// A pair of points: of the plan, and on the ground.
    typealias Pair = (x: Double, y: Double, east: Double, north: Double)

    func apply(x: Double, y: Double) -> (east: Double, north: Double) {
        (eastByX * x + eastByY * y + east, northByX * x + northByY * y + north)
    }

    var determinant: Double { eastByX * northByY - eastByY * northByX }

    /// How much more it stretches in one direction than across it; 1 for a similarity.
    var stretch: Double {
        let squares = eastByX * eastByX + eastByY * eastByY + northByX * northByX + northByY * northByY
        let root = max(0, squares * squares - 4 * determinant * determinant).squareRoot()
        return squares > root ? ((squares + root) / (squares - root)).squareRoot() : .infinity
    }

    /// How far a pair's ground point is from where the plan's comes to.
    func residual(_ pair: Pair) -> Double {
        let point = apply(x: pair.x, y: pair.y)
        return hypot(point.east - pair.east, point.north - pair.north)
    }

    /// Turns, scales and moves, so that the squares of the residuals are least; as complex numbers Σ w·z̄ / Σ |z|².
    ///
    /// - Parameter mirrored: Whether the plan is turned over first, its y axis pointing down.
    init(similarityOf pairs: [Pair], mirrored: Bool = false) {
        let middle = Middle(pairs)
        let sign = mirrored ? -1.0 : 1.0
        var (cosine, sine, square) = (0.0, 0.0, 0.0)
        for pair in pairs {
            let (x, y, e, n) = middle.relative(pair)
            cosine += e * x + n * y * sign
            sine += n * x - e * y * sign
            square += x * x + y * y
        }
        (cosine, sine) = (cosine / square, sine / square)
        (eastByX, eastByY, northByX, northByY) = (cosine, -sine * sign, sine, cosine * sign)
        place(middle)
    }

    /// Any linear map; `nil` where the plan's points lie on one line.
    init?(affineOf pairs: [Pair]) {
        let middle = Middle(pairs)
        var (xx, xy, yy, ex, ey, nx, ny) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
        for pair in pairs {
            let (x, y, e, n) = middle.relative(pair)
            (xx, xy, yy) = (xx + x * x, xy + x * y, yy + y * y)
            (ex, ey, nx, ny) = (ex + e * x, ey + e * y, nx + n * x, ny + n * y)
        }
        let determinant = xx * yy - xy * xy
        guard determinant > 0 else { return nil }
        eastByX = (ex * yy - ey * xy) / determinant
        eastByY = (ey * xx - ex * xy) / determinant
        northByX = (nx * yy - ny * xy) / determinant
        northByY = (ny * xx - nx * xy) / determinant
        place(middle)
    }

    /// - Parameters:
    ///   - rotation: Direction of the y axis in degrees clockwise from north.
    ///   - scale: Metres in a unit.
    init(rotation: Double, scale: Double) {
        let (sine, cosine) = (sin(rotation.radians) * scale, cos(rotation.radians) * scale)
        (eastByX, eastByY, northByX, northByY) = (cosine, sine, -sine, cosine)
    }

    /// The middle of the plan's points comes to the middle of the ground's.
    private mutating func place(_ middle: Middle) {
        let moved = apply(x: middle.x, y: middle.y)
        (east, north) = (middle.east - moved.east, middle.north - moved.north)
    }

    private struct Middle {
        var (x, y, east, north) = (0.0, 0.0, 0.0, 0.0)

        init(_ pairs: [Pair]) {
            for pair in pairs { (x, y, east, north) = (x + pair.x, y + pair.y, east + pair.east, north + pair.north) }
            let count = Double(pairs.count)
            (x, y, east, north) = (x / count, y / count, east / count, north / count)
        }

        func relative(_ pair: Pair) -> Pair { (pair.x - x, pair.y - y, pair.east - east, pair.north - north) }
    }
}

/// How wide points lie across the line through them that fits best, as a part of how far they lie along it: 0 on a line.
func breadth(_ points: [(x: Double, y: Double)]) -> Double {
    let count = Double(points.count)
    let middle = (x: points.reduce(0) { $0 + $1.x } / count, y: points.reduce(0) { $0 + $1.y } / count)
    var (xx, xy, yy) = (0.0, 0.0, 0.0)
    for point in points {
        let (x, y) = (point.x - middle.x, point.y - middle.y)
        (xx, xy, yy) = (xx + x * x, xy + x * y, yy + y * y)
    }
    let root = hypot(xx - yy, 2 * xy)
    return xx + yy > 0 ? (max(0, xx + yy - root) / (xx + yy + root)).squareRoot() : 0
}
