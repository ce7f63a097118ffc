/// Names a location over all sources.
public struct LocationReference: Hashable, Sendable {
    public var source: Identifier
    public var id: Identifier

    public init(source: Identifier, id: Identifier) { (self.source, self.id) = (source, id) }

    public init(_ location: Location) { self.init(source: location.source, id: location.id) }
}
