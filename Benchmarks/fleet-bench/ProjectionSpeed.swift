import Geometry
import JSON
import Projections

/// What `projectTo` costs: each position once, there and back, since what does not lead back is no place.
enum ProjectionSpeed {
    private static let positions = 10_000
    private static let rounds = 15

    /// - Returns: Nothing in a build without PROJ.
    static func figures() throws -> [(String, JSONValue)] {
        guard CoordinateSystems.isAvailable else { return [] }
        let system = try CoordinateSystems.system("EPSG:25832")
        let clock = ContinuousClock()
        var rates: [Double] = []
        for round in 0...rounds {
            let start = clock.now
            var projected = 0
            for number in 0..<positions {
                let position = Position(latitude: 55 + Double(number) * 1e-4, longitude: 9 + Double(round) * 1e-3)
                if let position, system.project(position) != nil { projected += 1 }
            }
            precondition(projected == positions, "\(projected) positions have a place")
            if round > 0 { rates.append(Double(positions) / ((clock.now - start) / .seconds(1))) }
        }
        return [("projections-per-second", rounded(median(rates)))]
    }
}
