/// A heap: what has the least priority comes out first, equals in the order in which they came in, so that a replay does the
/// same each time. An element may stand in it several times; whoever takes it out checks whether it still holds, which is
/// cheaper than finding and moving entries.
public struct PriorityQueue<Priority: Comparable, Element> {
    @usableFromInline
    struct Entry {
        @usableFromInline let priority: Priority
        @usableFromInline let order: UInt64
        @usableFromInline let element: Element

        @inlinable
        init(priority: Priority, order: UInt64, element: Element) {
            (self.priority, self.order, self.element) = (priority, order, element)
        }
    }

    // Inlinable, so that other modules get it made for their elements: an unspecialised queue is many times slower.
    @usableFromInline var heap: [Entry] = []
    @usableFromInline var lastOrder: UInt64 = 0

    @inlinable
    public init() {}

    /// The least one.
    @inlinable
    public var firstPriority: Priority? { heap.first?.priority }

    /// Entries, the outdated ones too.
    @inlinable
    public var count: Int { heap.count }

    /// Forgets entries that are outdated.
    public mutating func compact(keeping isValid: (Element, Priority) -> Bool) {
        // In order, which is a heap already.
        heap = heap.filter { isValid($0.element, $0.priority) }
            .sorted { ($0.priority, $0.order) < ($1.priority, $1.order) }
    }

    @inlinable
    public mutating func add(_ element: Element, at priority: Priority) {
        lastOrder += 1
        heap.append(Entry(priority: priority, order: lastOrder, element: element))
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard isBefore(child, parent) else { break }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    @inlinable
    public mutating func popFirst() -> (priority: Priority, element: Element)? {
        guard let first = heap.first else { return nil }
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
        return (first.priority, first.element)
    }

    @inlinable
    func isBefore(_ a: Int, _ b: Int) -> Bool {
        (heap[a].priority, heap[a].order) < (heap[b].priority, heap[b].order)
    }
}
