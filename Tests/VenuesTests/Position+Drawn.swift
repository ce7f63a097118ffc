import Geometry

extension Position {
    /// In the unit of ``Drawing``.
    static func drawn(_ east: Double, _ north: Double) -> Position {
        guard let position = Position(latitude: 57 + north / 1e5, longitude: 9 + east / 1e5) else {
            preconditionFailure("a drawing near 57, 9")
        }
        return position
    }
}
