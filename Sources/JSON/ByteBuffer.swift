/// Bytes that grow at their end. An array does the same, but looks at its owner and bounds at every append, which for text
/// written in pieces of a few bytes costs more than the writing.
///
/// The memory is this buffer's alone: it cannot be copied, and no pointer into it outlives a call.
struct ByteBuffer: ~Copyable {
    private(set) var count = 0
    private var capacity: Int
    private var start: UnsafeMutablePointer<UInt8>

    init(capacity: Int = 512) {
        self.capacity = capacity
        start = .allocate(capacity: capacity)
    }

    deinit { start.deallocate() }

    var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: start, count: count) }

    /// Empties the buffer and keeps its memory.
    mutating func removeAll() { count = 0 }

    mutating func truncate(to count: Int) {
        precondition(0...self.count ~= count)
        self.count = count
    }

    mutating func append(_ byte: UInt8) {
        reserve(1)
        start[count] = byte
        count += 1
    }

    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let source = bytes.baseAddress else { return }
        reserve(bytes.count)
        (start + count).update(from: source, count: bytes.count)
        count += bytes.count
    }

    mutating func append(_ text: StaticString) {
        append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends what is written into a piece of this size; the rest of the piece is cut off.
    mutating func append(atMost size: Int, _ write: (UnsafeMutableBufferPointer<UInt8>) -> Int) {
        reserve(size)
        let written = write(UnsafeMutableBufferPointer(start: start + count, count: size))
        precondition(0...size ~= written)
        count += written
    }

    /// Appends a number, filled up with leading zeros.
    ///
    /// - Parameter width: At least the number's own digits.
    mutating func append(_ number: UInt64, width: Int) {
        reserve(width)
        var rest = number
        for index in stride(from: count + width - 1, through: count, by: -1) {
            start[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
        count += width
    }

    /// Drops the last bytes as long as they are this one.
    mutating func trim(_ byte: UInt8) {
        while count > 0, start[count - 1] == byte { count -= 1 }
    }

    private mutating func reserve(_ size: Int) {
        if capacity - count < size { grow(size) }
    }

    @inline(never)
    private mutating func grow(_ size: Int) {
        capacity = max(capacity * 2, count + size)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        larger.update(from: start, count: count)
        start.deallocate()
        start = larger
    }
}
