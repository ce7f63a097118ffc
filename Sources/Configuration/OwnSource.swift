public import Locations

/// A source that the program has beside those of the configuration, as far as the configuration may name it.
public struct OwnSource: Sendable, Equatable {
    public var id: Identifier
    /// The sources that it goes by: those of the configuration among them must not go by it in turn.
    public var observes: Set<Identifier>

    public init(_ id: Identifier, observes: Set<Identifier> = []) { (self.id, self.observes) = (id, observes) }

    public init(_ source: any LocationSource) {
        self.init(source.id, observes: (source as? any DerivedLocationSource)?.observedSources ?? [])
    }
}
