internal import Locations

/// The names of topics on which nothing stands any more. A broker that comes back with an older store shows again what was
/// cleared, and nobody else would know that it is a ghost.
struct ClearedTopics {
    /// Of more, the earliest cleared are forgotten.
    static let limit = 10_000

    private var names = Queue<Identifier>()
    private var known: Set<Identifier> = []

    mutating func insert(_ topicName: String) {
        let name = Identifier(topicName)
        guard known.insert(name).inserted else { return }
        names.append(name)
        if names.count > Self.limit, let oldest = names.popFirst() { known.remove(oldest) }
    }

    /// Takes the names, which are to be cleared again.
    mutating func takeAll() -> [Identifier] {
        defer { self = ClearedTopics() }
        return names.all
    }
}
