import Geometry
import Timestamps

/// Points that wait to be put in their order: a heap by time, of a fixed size at most.
struct SortingIndex {
    /// A track point in 72 bytes: NaN is absent.
    private struct Entry {
        var time: Int64
        /// Equal times keep the file's order.
        var number: Int
        var latitude, longitude: Double
        var elevation, course, speed, accuracy: Double
        var line, column: Int32

        func isBefore(_ other: Entry) -> Bool {
            time != other.time ? time < other.time : number < other.number
        }
    }

    /// In bytes. What it holds is the index's whole memory.
    static let size = 64_000_000

    let capacity: Int
    private var heap: [Entry] = []
    private var numbers = 0

    init(capacity: Int = size / MemoryLayout<Entry>.stride) {
        self.capacity = max(1, capacity)
    }

    var isEmpty: Bool { heap.isEmpty }
    var isFull: Bool { heap.count >= capacity }

    mutating func insert(_ point: TimedPoint) {
        // All at once, since a growing array has two copies; pages that are not used take no memory.
        if heap.isEmpty { heap.reserveCapacity(capacity) }
        numbers += 1
        let p = point.point
        heap.append(
            Entry(
                time: point.time.microseconds, number: numbers, latitude: p.position.latitude,
                longitude: p.position.longitude, elevation: p.elevation ?? .nan, course: p.course ?? .nan,
                speed: p.speed ?? .nan, accuracy: p.accuracy ?? .nan, line: Int32(clamping: point.place.line),
                column: Int32(clamping: point.place.column)))
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child].isBefore(heap[parent]) else { break }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    /// The earliest.
    mutating func takeFirst() -> TimedPoint? {
        guard let first = heap.first else { return nil }
        let last = heap.removeLast()
        if !heap.isEmpty {
            heap[0] = last
            sink()
        }
        let known = { (value: Double) in value.isNaN ? nil : value }
        guard let position = Position(latitude: first.latitude, longitude: first.longitude) else { return nil }
        let time = Timestamp(microseconds: first.time)
        return TimedPoint(
            time: time,
            point: TrackPoint(
                position: position, time: time, elevation: known(first.elevation), course: known(first.course),
                speed: known(first.speed), accuracy: known(first.accuracy)),
            place: TextPlace(line: Int(first.line), column: Int(first.column)))
    }

    private mutating func sink() {
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && heap[child].isBefore(heap[least])
            {
                least = child
            }
            if least == parent { return }
            heap.swapAt(parent, least)
            parent = least
        }
    }
}

/// A point with its time, and where it stands in the file.
struct TimedPoint {
    var time: Timestamp
    var point: TrackPoint
    var place: TextPlace
}
