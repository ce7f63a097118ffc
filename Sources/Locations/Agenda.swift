/// What is to be done when: a queue by time. An element may stand in it several times; whoever takes it out checks
/// whether the time still holds, which is cheaper than finding and moving entries at every message.
public struct Agenda<Element> {
    @usableFromInline
    struct Entry {
        @usableFromInline let time: Duration
        @usableFromInline let order: UInt64
        @usableFromInline let element: Element

        @inlinable
        init(time: Duration, order: UInt64, element: Element) {
            (self.time, self.order, self.element) = (time, order, element)
        }
    }

    // Inlinable, so that other modules get it made for their elements: an unspecialised queue is many times slower.
    @usableFromInline var heap: [Entry] = []
    @usableFromInline var lastOrder: UInt64 = 0

    @inlinable
    public init() {}

    @inlinable
    public var nextTime: Duration? { heap.first?.time }

    /// Entries, the outdated ones too.
    @inlinable
    public var count: Int { heap.count }

    /// Forgets entries that are outdated.
    public mutating func compact(keeping isValid: (Element, Duration) -> Bool) {
        // In order of time, which is a heap already.
        heap = heap.filter { isValid($0.element, $0.time) }.sorted { ($0.time, $0.order) < ($1.time, $1.order) }
    }

    @inlinable
    public mutating func add(_ element: Element, at time: Duration) {
        lastOrder += 1  // equal times keep their order, so that a replay does the same each time
        heap.append(Entry(time: time, order: lastOrder, element: element))
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard isBefore(child, parent) else { break }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    /// Takes out the first element whose time has come.
    @inlinable
    public mutating func popDue(at now: Duration) -> (time: Duration, element: Element)? {
        guard !heap.isEmpty, heap[0].time <= now else { return nil }
        let first = heap[0]
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && isBefore(child, least) {
                least = child
            }
            guard least != parent else { break }
            heap.swapAt(parent, least)
            parent = least
        }
        return (first.time, first.element)
    }

    @inlinable
    func isBefore(_ a: Int, _ b: Int) -> Bool {
        (heap[a].time, heap[a].order) < (heap[b].time, heap[b].order)
    }
}
