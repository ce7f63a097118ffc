internal import Glibc

/// The plane of Web Mercator (EPSG:3857) as map tiles divide it: x grows to the east, y to the south.
struct MercatorGrid {
    /// The side of the world in units of the grid.
    let worldSize: Double
    private let rounds: Bool

    /// - Parameter tile: Gives the grid's unit, an 8192th of a tile's side, to which positions are rounded. `nil` for a
    ///   world of side 1 without rounding.
    init(_ tile: TileIdentifier?) {
        worldSize = tile.map { Double(sign: .plus, exponent: $0.z, significand: 8192) } ?? 1
        rounds = tile != nil
    }

    func point(_ coordinate: Coordinate) -> PlanarPoint {
        let x = (180 + coordinate.longitude) / 360 * worldSize
        let angle = Double.pi / 4 + coordinate.latitude * .pi / 360
        let y = (180 - 180 / .pi * log(tan(angle))) / 360 * worldSize
        return rounds
            ? PlanarPoint(x: (x + 0.5).rounded(.down), y: (y + 0.5).rounded(.down))
            : PlanarPoint(x: x, y: y)
    }

    func coordinate(_ point: PlanarPoint) -> Coordinate {
        let angle = (180 - point.y / worldSize * 360) * .pi / 180
        return Coordinate(
            longitude: point.x / worldSize * 360 - 180, latitude: 360 / .pi * atan(exp(angle)) - 90)
    }

    /// The coordinate that the grid makes of one.
    func snapped(_ coordinate: Coordinate) -> Coordinate {
        rounds ? self.coordinate(point(coordinate)) : coordinate
    }
}
