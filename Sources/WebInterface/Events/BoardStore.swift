internal import FleetEngine
internal import Locations
internal import Synchronization

/// What stands on the board, by key.
enum BoardKey: Hashable, Sendable {
    case location(source: Identifier, id: Identifier)
    case source(Identifier)
    case bridge
}

/// What the fleet looks like now, for any number of readers on other threads.
///
/// Of each location only the newest state is here, with the number of its change. Who has seen everything up to a number is
/// told what has changed since, however long that was: nothing is queued for anybody.
public final class BoardStore: Sendable {
    enum Content: Sendable {
        case location(ShownLocation)
        case source([UInt8])
        case bridge([UInt8])
        /// It is not there any more.
        case gone
    }

    struct Item: Sendable {
        var key: BoardKey
        var content: Content
    }

    /// What a reader gets at once.
    struct Batch: Sendable {
        var items: [Item] = []
        /// The number of the last change in it, or of the last one at all.
        var sequence: UInt64
        /// The reader is to forget all it had.
        var isReset: Bool
        /// There is nothing newer.
        var isComplete: Bool
    }

    private struct Entry {
        var sequence: UInt64
        var content: Content
    }

    private struct State {
        var sequence: UInt64 = 0
        var entries: [BoardKey: Entry] = [:]
        /// Keys by the numbers of their changes; of a key that changed again the earlier places are outdated.
        var log: [(sequence: UInt64, key: BoardKey)] = []
        var gone = 0
        /// What has been seen only up to an earlier number cannot be continued.
        var floor: UInt64 = 0
    }

    /// Keys that are not there any more, and still known.
    private let maximumGone: Int
    private let state = Mutex(State())

    /// Tells the numbers of this process from those of another one.
    let epoch: String

    init(epoch: String, maximumGone: Int = 10_000) { (self.epoch, self.maximumGone) = (epoch, maximumGone) }

    // MARK: Writing

    func apply(_ items: [Item]) {
        guard !items.isEmpty else { return }
        state.withLock { state in
            for item in items { put(item, in: &state) }
            if state.gone > maximumGone { forgetGone(in: &state) }
            if state.log.count > 2 * state.entries.count + 1_024 { compact(&state) }
        }
    }

    private func put(_ item: Item, in state: inout State) {
        let old = state.entries[item.key]
        if case .gone = item.content {
            guard let old else { return }
            if case .gone = old.content { return }
            state.gone += 1
        } else if case .gone? = old?.content {
            state.gone -= 1
        }
        state.sequence += 1
        state.entries[item.key] = Entry(sequence: state.sequence, content: item.content)
        state.log.append((state.sequence, item.key))
    }

    private func compact(_ state: inout State) {
        state.log.removeAll { state.entries[$0.key]?.sequence != $0.sequence }
    }

    private func forgetGone(in state: inout State) {
        compact(&state)
        for (sequence, key) in state.log where state.gone > maximumGone / 2 {
            guard case .gone? = state.entries[key]?.content else { continue }
            state.entries[key] = nil
            state.gone -= 1
            state.floor = sequence
        }
        compact(&state)
    }

    // MARK: Reading

    /// What has changed since a number.
    ///
    /// - Parameters:
    ///   - sequence: `nil`: everything is wanted.
    ///   - size: Bytes of states after which the batch is full.
    func changes(since sequence: UInt64?, atMost size: Int) -> Batch {
        state.withLock { state in
            let isKnown = sequence.map { $0 >= state.floor && $0 <= state.sequence } ?? false
            let start = isKnown ? sequence ?? 0 : 0
            var batch = Batch(sequence: state.sequence, isReset: !isKnown, isComplete: true)
            var room = size
            for index in Self.firstIndex(after: start, in: state.log)..<state.log.count {
                let (number, key) = state.log[index]
                guard let entry = state.entries[key], entry.sequence == number else { continue }
                // Who begins has nothing that could be taken away.
                if case .gone = entry.content, !isKnown { continue }
                guard room > 0 else {
                    batch.isComplete = false
                    break
                }
                room -= entry.content.size
                batch.items.append(Item(key: key, content: entry.content))
                batch.sequence = number
            }
            if batch.isComplete { batch.sequence = state.sequence }
            return batch
        }
    }

    private static func firstIndex(after sequence: UInt64, in log: [(sequence: UInt64, key: BoardKey)]) -> Int {
        var (low, high) = (0, log.count)
        while low < high {
            let middle = (low + high) / 2
            if log[middle].sequence <= sequence { low = middle + 1 } else { high = middle }
        }
        return low
    }

    func location(_ id: Identifier, source: Identifier) -> ShownLocation? {
        state.withLock { state in
            if case .location(let shown)? = state.entries[.location(source: source, id: id)]?.content {
                shown
            } else {
                nil
            }
        }
    }

    func hasSource(_ id: Identifier) -> Bool {
        state.withLock { state in
            if case .source? = state.entries[.source(id)]?.content { true } else { false }
        }
    }

    /// All locations, in no order.
    var locations: (sequence: UInt64, shown: [ShownLocation]) {
        state.withLock { state in
            let shown = state.entries.values.compactMap { entry -> ShownLocation? in
                if case .location(let shown) = entry.content { shown } else { nil }
            }
            return (state.sequence, shown)
        }
    }

    /// The descriptions of all sources, by id.
    var sources: [(id: Identifier, description: [UInt8])] {
        let found = state.withLock { state in
            state.entries.compactMap { key, entry -> (id: Identifier, description: [UInt8])? in
                if case .source(let id) = key, case .source(let bytes) = entry.content { (id, bytes) } else { nil }
            }
        }
        return found.sorted { $0.id < $1.id }
    }

    /// Entries of the log, the outdated ones too.
    var logSize: Int { state.withLock { $0.log.count } }

    // MARK: Numbers as readers have them

    func reference(_ sequence: UInt64) -> String { "\(epoch)-\(sequence)" }

    /// The number in a reference of this process; `nil` for anything else.
    func sequence(of reference: String) -> UInt64? {
        let parts = reference.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].elementsEqual(epoch.utf8) else { return nil }
        return UInt64(String(Substring(parts[1])))
    }
}

extension BoardStore.Content {
    fileprivate var size: Int {
        switch self {
        case .location(let shown): shown.state.count
        case .source(let bytes), .bridge(let bytes): bytes.count
        case .gone: 64
        }
    }
}
