public import Geometry

/// Where a location is, as far as rooms and zones go by it.
public struct Place: Sendable, Equatable {
    public var position: Position
    /// `nil` where nobody has said it.
    public var building: String?
    /// Index in the sense of MapsIndoors; `nil` where nobody has said it.
    public var floor: Int?

    public init(position: Position, building: String?, floor: Int?) {
        (self.position, self.building, self.floor) = (position, building, floor)
    }
}

/// Knows the rooms and zones of a site. It never changes: another configuration brings another one.
public protocol AreaFinder: AnyObject, Sendable {
    /// The room that a place is in, of several the smallest; borders belong to rooms.
    func room(at place: Place) -> Area?
    /// All zones that a place is in.
    func zones(at place: Place) -> [Area]
    /// Metres from a place to the border of an area: negative inside of it. `nil` where the area is on another floor, in
    /// another building, or not there at all.
    func distance(from place: Place, to area: Area) -> Double?
    /// A room by its id.
    func room(_ id: Identifier, building: String?) -> Area?
    /// Whether it finds the same everywhere.
    func finds(theSameAs other: any AreaFinder) -> Bool
}

/// How locations get into rooms and zones, and out of them.
public struct AreaSettings: Sendable, Equatable {
    public var finder: any AreaFinder
    /// How long a location must have been in a zone or out of it before that is told, and on the other side of a room's border
    /// before that counts, where it is near to it.
    public var dwell: Duration = .seconds(2)
    /// Metres beyond the border from which on the other room counts at once. Nearer to any border, a zone's too, twice the
    /// time between the last two positions is waited for, where that is longer than the dwell time.
    public var margin = 0.5

    public init(finder: any AreaFinder) { self.finder = finder }

    public static func == (a: AreaSettings, b: AreaSettings) -> Bool {
        (a.dwell, a.margin) == (b.dwell, b.margin) && (a.finder === b.finder || a.finder.finds(theSameAs: b.finder))
    }
}
