internal import Geometry
public import Locations

/// Where devices can be in the buildings of a site.
public final class VenueMatcher: PositionMatcher {
    /// What devices keep to.
    public enum Ground: String, CaseIterable, Sendable {
        /// Rooms, corridors and whatever else has a floor that one can walk on.
        case walkable
        /// The lines of the feature type `route`.
        case route
    }

    private let ground: Ground
    private let venues: [Venue]
    private let plans: [Identifier: Plan]

    public init(_ venues: [Venue], _ ground: Ground) {
        (self.venues, self.ground) = (venues, ground)
        plans = Dictionary(venues.map { (Identifier($0.building), Plan($0, ground)) }) { first, _ in first }
    }

    public func places(within distance: Double, of place: Place) -> [MatchedPlace] {
        if let name = place.building.map({ Identifier($0) }) {
            return plans[name]?.places(within: distance, of: place) ?? []
        }
        return plans.values.flatMap { $0.places(within: distance, of: place) }.sorted {
            ($0.distance, $0.building, $0.region) < ($1.distance, $1.building, $1.region)
        }
    }

    public func isReachable(from start: MatchedPlace, to end: MatchedPlace, within distance: Double) -> Bool {
        // Nobody knows the ways between floors: there are stairs and lifts.
        guard start.building == end.building, start.floor == end.floor,
            let floor = plans[end.building]?.floors[end.floor]
        else { return true }
        return floor.isReachable(from: start.spot, to: end.spot, within: distance)
    }

    public func finds(theSameAs other: any PositionMatcher) -> Bool {
        guard let other = other as? VenueMatcher else { return false }
        return ground == other.ground && venues == other.venues
    }
}

/// The floors of one venue.
private struct Plan: Sendable {
    let building: Identifier
    let frame: MapFrame
    let floors: [Int: any MatchingFloor]
    /// Of a venue with one floor: locations that name none are there.
    let onlyFloor: Int?

    init(_ venue: Venue, _ ground: VenueMatcher.Ground) {
        (building, frame) = (Identifier(venue.building), venue.frame)
        let indices = Set(venue.levels.map(\.floor))
        floors = Dictionary(
            uniqueKeysWithValues: indices.map { index -> (Int, any MatchingFloor) in
                switch ground {
                case .walkable: (index, WalkableFloor(venue.units(onFloor: index), venue.openings(onFloor: index)))
                case .route: (index, RouteFloor(venue.routes(onFloor: index).flatMap(\.points)))
                }
            })
        onlyFloor = indices.count == 1 ? indices.first : nil
    }

    func places(within distance: Double, of place: Place) -> [MatchedPlace] {
        guard let index = place.floor ?? onlyFloor, let floor = floors[index],
            let point = frame.point(of: place.position)
        else { return [] }
        return floor.spots(within: distance, of: point).compactMap { spot in
            frame.position(x: spot.point.x, y: spot.point.y).map {
                MatchedPlace(
                    building: building, floor: index, region: spot.region, point: spot.point, position: $0,
                    distance: spot.distance)
            }
        }
    }
}

extension MatchedPlace {
    fileprivate var spot: Spot { Spot(region: region, point: point, distance: distance) }
}
