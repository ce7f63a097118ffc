public import Timestamps

/// A source that is derived from others: it observes them, and is observed like any other.
///
/// The engine has it told of what all sources do, also of those to come and of other derived ones; it picks those that it goes
/// by. It must not go by itself, nor by one that goes by it. What is there already it learns by ``survey(_:at:)`` rather than
/// by updates.
public protocol DerivedLocationSource: LocationSource, LocationObserver {
    /// The ids of the sources that it goes by, as far as it knows them before it starts. A configuration in which one of them
    /// goes by this one in turn is refused.
    var observedSources: Set<Identifier> { get }

    /// Takes up one of its locations as an earlier process published it. Called after ``LocationSource/start(at:)`` and before the
    /// first survey, if there was one.
    func restore(_ published: Location, at now: Instant)

    /// Takes up what an earlier process published of the source itself, before the first survey: where its status turns out the
    /// same, it began then.
    ///
    /// - Parameter lastMessage: As ``LocationSource/lastMessage`` was then.
    func restore(_ published: SourceStatus, lastMessage: Timestamp?)

    /// Goes by what there is now, whatever it was told before: after an earlier process's fleet has been read back, and after
    /// another configuration.
    ///
    /// - Parameter sources: All there are, itself included.
    func survey(_ sources: [any LocationSource], at now: Instant)
}

extension DerivedLocationSource {
    /// Nobody that it could name.
    public var observedSources: Set<Identifier> { [] }
    /// Nothing of its own is older than the process.
    public func restore(_ published: Location, at now: Instant) {}
    public func restore(_ published: SourceStatus, lastMessage: Timestamp?) {}
}
