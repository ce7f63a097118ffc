internal import JSON

/// How messages and reports ended: each in exactly one of five ways.
struct Tally {
    enum End: CaseIterable { case applied, duplicate, late, ignored, rejected }

    private(set) var received = 0
    private var ends = InlineArray<5, Int>(repeating: 0)

    subscript(end: End) -> Int { ends[Self.index(of: end)] }

    mutating func count(_ end: End) {
        received += 1
        ends[Self.index(of: end)] += 1
    }

    mutating func add(_ other: Tally) {
        received += other.received
        for index in ends.indices { ends[index] += other.ends[index] }
    }

    private static func index(of end: End) -> Int {
        switch end {
        case .applied: 0
        case .duplicate: 1
        case .late: 2
        case .ignored: 3
        case .rejected: 4
        }
    }

    /// All five, by name.
    var named: [(key: String, value: Int)] {
        [
            ("applied", self[.applied]), ("duplicate", self[.duplicate]), ("late", self[.late]),
            ("ignored", self[.ignored]), ("rejected", self[.rejected]),
        ]
    }

    func write(to writer: inout JSONWriter) {
        for (key, count) in named {
            writer.key(key)
            writer.integer(count)
        }
    }
}

extension Tally.End: Comparable {
    /// A batch counts as its best report: `applied > duplicate > late > ignored > rejected`.
    private var rank: Int {
        switch self {
        case .applied: 4
        case .duplicate: 3
        case .late: 2
        case .ignored: 1
        case .rejected: 0
        }
    }

    static func < (a: Tally.End, b: Tally.End) -> Bool { a.rank < b.rank }
}

/// What applied reports led to: `applied = published + coalesced + unchanged + pending`.
struct PublishTally {
    var published = 0
    /// A newer report of the same location came before this one was published.
    var coalesced = 0
    /// Nothing but the time was new.
    var unchanged = 0
    /// Reports that wait: a gauge.
    var pending = 0
    /// States published without a report: by time, after a connect.
    var publishedByTime = 0
}

/// Topics with something to be sent. Of each only the newest counts, so there are never more than topics.
struct QueueTally {
    /// Waiting for their turn, their interval or the broker.
    var now = 0
    /// The most there were at once.
    var max = 0
    /// Given up, since no broker would take them.
    var dropped = 0

    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        for (key, count) in [("now", now), ("max", max), ("dropped", dropped)] {
            writer.key(key)
            writer.integer(count)
        }
        writer.endObject()
    }
}

/// Counts by slug. Slugs are ours, so their number is bounded.
struct SlugCounts {
    private var counts: [String: Int] = [:]

    mutating func add(_ slug: String, _ count: Int = 1) { counts[slug, default: 0] += count }

    var sorted: [(key: String, value: Int)] { counts.sorted { $0.key < $1.key } }

    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        for (slug, count) in sorted {
            writer.key(slug)
            writer.integer(count)
        }
        writer.endObject()
    }
}
