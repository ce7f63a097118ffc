public import DisplayRules
public import Geometry
public import Locations

/// A location with the way it is drawn, as it is now; it may be ahead of what is published.
public struct ShownLocation: Sendable {
    public let update: LocationUpdate
    public let display: Display
    /// The position in the map's own coordinate system.
    public let projected: ProjectedPosition?
    /// The styled state as JSON, as it would be published.
    public let state: [UInt8]
    /// The pace of its source: nobody needs it more often.
    public let interval: Duration

    public var location: Location { update.location }
}

/// Locations that are to be drawn anew though no observer was told of them.
public struct RestyledLocations: Sendable {
    public private(set) var isAll = false
    public private(set) var updates: [LocationUpdate] = []

    mutating func note(_ update: LocationUpdate) { if !isAll { updates.append(update) } }

    mutating func noteAll() { (isAll, updates) = (true, []) }
}
