internal import Timestamps

/// The GeoJSON snapshot of one source: which location stands in which chunk, and which chunks are to be written again.
///
/// A location keeps its chunk as long as that has room for it, so that one that moves about the hall changes one message.
final class SourceSnapshot {
    /// Locations of a chunk at most.
    static let largestChunk = 100
    /// Bytes of a chunk beside its features, at most.
    static let frame = 200

    private struct Chunk {
        var members: [OutgoingTopic] = []
        /// Of the features, as far as is known.
        var bytes = 0
        var isDirty = true
        /// What was to be in it did not fit.
        var isFull = false
    }

    @exclusivity(unchecked) private var chunks: [Chunk] = []
    /// A number for the locations that are there: another one means others, and grows over restarts.
    @exclusivity(unchecked) private(set) var generation: Int64 = 0
    @exclusivity(unchecked) private(set) var time = Timestamp(microseconds: 0)
    @exclusivity(unchecked) private(set) var hasChanges = false
    private let rounds: SnapshotRounds
    private var hasOtherMembers = false
    /// All chunks before it are full.
    private var firstWithRoom = 0
    /// What a feature has taken lately.
    private var usualBytes = 700
    /// Chunks that stand on their topics, from the first on.
    private var published = 0

    init(_ rounds: SnapshotRounds) { self.rounds = rounds }

    var count: Int { chunks.count }

    /// The chunks that stand on their topics.
    var standing: Range<Int> { 0..<published }

    func members(of chunk: Int) -> [OutgoingTopic] { chunks.indices.contains(chunk) ? chunks[chunk].members : [] }

    /// A state was published.
    func note(_ topic: OutgoingTopic) {
        if let chunk = topic.chunk { chunks[chunk].isDirty = true } else { add(topic, bytes: usualBytes, besides: nil) }
        noteChange()
    }

    func remove(_ topic: OutgoingTopic) {
        guard let chunk = topic.chunk else { return }
        topic.chunk = nil
        chunks[chunk].members.removeAll { $0 === topic }
        chunks[chunk].bytes -= min(usualBytes, chunks[chunk].bytes)
        chunks[chunk].isFull = false
        firstWithRoom = min(firstWithRoom, chunk)
        hasOtherMembers = true
        noteChange()
    }

    private func noteChange() {
        hasChanges = true
        rounds.isWanted = true
    }

    private func add(_ topic: OutgoingTopic, bytes: Int, besides other: Int?) {
        hasOtherMembers = true
        while firstWithRoom < chunks.count, !hasRoom(firstWithRoom, for: usualBytes) { firstWithRoom += 1 }
        let place = chunks.indices[firstWithRoom...].first { $0 != other && hasRoom($0, for: bytes) }
        if place == nil { chunks.append(Chunk()) }
        let chunk = place ?? chunks.count - 1
        chunks[chunk].members.append(topic)
        chunks[chunk].bytes += bytes
        chunks[chunk].isDirty = true
        topic.chunk = chunk
    }

    private func hasRoom(_ chunk: Int, for bytes: Int) -> Bool {
        let chunk = chunks[chunk]
        if chunk.members.isEmpty { return true }
        return !chunk.isFull && chunk.members.count < Self.largestChunk && chunk.bytes + bytes <= rounds.limit
    }

    // MARK: Rounds

    /// Begins to publish what has changed.
    ///
    /// - Returns: The chunks to be written, and those that stand on their topics in vain.
    func beginRound(at time: Timestamp) -> (changed: [Int], surplus: Range<Int>) {
        hasChanges = false
        self.time = time
        while let last = chunks.last, last.members.isEmpty { chunks.removeLast() }
        firstWithRoom = min(firstWithRoom, chunks.count)
        if hasOtherMembers {
            hasOtherMembers = false
            generation = max(generation + 1, time.milliseconds)
            for index in chunks.indices { chunks[index].isDirty = true }
        }
        let surplus = chunks.count..<max(chunks.count, published)
        published = chunks.count
        return (chunks.indices.filter { chunks[$0].isDirty }, surplus)
    }

    /// A chunk has been written.
    ///
    /// - Parameters:
    ///   - fitting: How many of its locations have found room; the others move.
    ///   - bytes: Of their features.
    ///   - next: Bytes of the feature that did not fit.
    func wrote(_ chunk: Int, fitting: Int, bytes: Int, next: Int) {
        guard chunks.indices.contains(chunk) else { return }
        let rest = chunks[chunk].members[fitting...]
        chunks[chunk].members.removeLast(rest.count)
        (chunks[chunk].bytes, chunks[chunk].isDirty) = (bytes, false)
        if fitting > 0 { usualBytes = bytes / fitting + 1 }
        guard let first = rest.first else { return }
        chunks[chunk].isFull = true
        for topic in rest { add(topic, bytes: topic === first ? next : usualBytes, besides: chunk) }
        noteChange()
    }
}

/// When snapshots are published: each interval, if there is anything new.
final class SnapshotRounds {
    var interval: Duration
    private var last: Duration?
    /// Something has changed.
    @exclusivity(unchecked) var isWanted = false
    /// Bytes of a chunk's features at most.
    var limit = Int.max

    init(every interval: Duration) { self.interval = interval }

    /// When a round is due.
    var deadline: Duration? { isWanted ? last.map { $0 + interval } ?? .zero : nil }

    func begin(at now: Duration) {
        isWanted = false
        last = now
    }
}
