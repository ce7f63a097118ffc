/// Numbers by the times when they are due; the earliest is found without looking at the others.
///
/// A number has one time: a new one takes the place of the old one.
struct TimeHeap {
    private struct Entry {
        var time: Duration
        var number: Int
    }

    private var entries: [Entry] = []
    /// What counts of a number; older entries of it are dropped when they come to the front.
    private var times: [Duration?]

    init(count: Int) { times = Array(repeating: nil, count: count) }

    /// - Parameter time: `nil`: never.
    mutating func set(_ number: Int, _ time: Duration?) {
        guard times[number] != time else { return }
        times[number] = time
        guard let time else { return }
        entries.append(Entry(time: time, number: number))
        rise(entries.count - 1)
    }

    /// When the next one is due.
    var earliest: Duration? {
        mutating get {
            while let first = entries.first, times[first.number] != first.time { removeFirst() }
            return entries.first?.time
        }
    }

    /// Takes one that is due; it then has no time until it gets a new one.
    mutating func take(at now: Duration) -> Int? {
        guard let time = earliest, time <= now else { return nil }
        let number = entries[0].number
        removeFirst()
        times[number] = nil
        return number
    }

    private mutating func removeFirst() {
        entries.swapAt(0, entries.count - 1)
        entries.removeLast()
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < entries.count && entries[child].time < entries[least].time { least = child }
            guard least != parent else { return }
            entries.swapAt(parent, least)
            parent = least
        }
    }

    private mutating func rise(_ index: Int) {
        var child = index
        while child > 0, entries[child].time < entries[(child - 1) / 2].time {
            entries.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }
}
