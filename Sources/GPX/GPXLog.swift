public import Timestamps

/// A GPX 1.1 file that grows point by point and is well-formed after each: a point overwrites the closing tags, and they come
/// again behind it in the same write. A process that is killed leaves a whole file; after a power cut the next
/// ``init(_:file:creator:name:)`` repairs it.
///
/// Not `Sendable`: it belongs to the thread that writes.
public final class GPXLog {
    /// What opening has found.
    public enum Opening: Hashable, Sendable {
        case created
        case whole
        /// The end was missing, or no GPX: so many bytes were dropped after the last whole point.
        case repaired(droppedBytes: Int)
    }

    /// Bytes at the end that are written anew to put a late point in its place: about twenty points.
    static let lateWindow = 4_096

    public let opening: Opening
    /// The latest time in the file, as far as it is known.
    public private(set) var latest: Timestamp?
    /// The file's bytes.
    public var size: Int { bodyEnd + ending.count }

    private let storage: any GPXStorage
    /// Where the closing tags begin.
    private var bodyEnd: Int
    private var isInSegment: Bool
    /// The last points of the segment, oldest first.
    private var recent: [(time: Timestamp, offset: Int)] = []
    /// The time of the last late point, while its segment is the last one.
    private var lateTime: Timestamp?

    /// Begins a file, or goes on with one, repaired where its end is damaged.
    ///
    /// - Parameters:
    ///   - file: For errors.
    ///   - creator: The program, for a new file.
    ///   - name: The track's, for a new file.
    /// - Throws: For a file that is something else than a log; it is not touched.
    public init(_ storage: some GPXStorage, file: String, creator: String, name: String) throws(GPXError) {
        self.storage = storage
        let size = try storage.size
        if let found = try GPXLogRepair(storage, file: file) {
            (bodyEnd, isInSegment, latest) = (found.bodyEnd, found.isInSegment, found.latest)
            recent = found.points
            let ending = Self.ending(isInSegment: isInSegment)
            if try storage.read(at: bodyEnd, count: size - bodyEnd) == ending {
                opening = .whole
            } else {
                try storage.write(ending, at: bodyEnd)
                try storage.truncate(to: bodyEnd + ending.count)
                opening = .repaired(droppedBytes: size - bodyEnd)
            }
        } else {
            let header = Array(GPXText.header(creator: creator, name: name).utf8)
            (bodyEnd, isInSegment) = (header.count, false)
            let text = header + Self.ending(isInSegment: false)
            try storage.write(text, at: 0)
            try storage.truncate(to: text.count)
            opening = size == 0 ? .created : .repaired(droppedBytes: size)
        }
        if let last = recent.last?.time, let latest, last < latest { lateTime = last }
        forgetOld()
    }

    /// Adds a point.
    ///
    /// A point that is older than the last one goes to its place among the last points of the segment, or, where it is older than
    /// those, to a segment of its own; what comes next in time then begins another.
    ///
    /// - Parameter gap: Whether the position was lost before it: it begins a new segment.
    /// - Throws: Where it could not be written; the file is then as before, as far as the disk allows.
    public func append(_ point: TrackPoint, gap: Bool = false) throws(GPXError) {
        let line = GPXText.point(point)
        if let time = point.time, let latest, time < latest {
            return try appendLate(line, time)
        }
        let begins = gap || !isInSegment || lateTime != nil
        try add(line, at: point.time, beginsSegment: begins)
        lateTime = nil
    }

    /// Returns when everything is on the disk.
    public func synchronize() throws(GPXError) { try storage.synchronize() }

    private func appendLate(_ line: String, _ time: Timestamp) throws(GPXError) {
        if lateTime == nil, let first = recent.first, first.time <= time,
            let next = recent.firstIndex(where: { $0.time > time })
        {
            let offset = recent[next].offset
            let tail = try storage.read(at: offset, count: bodyEnd - offset)
            let text = Array(line.utf8)
            try write(text + tail, at: offset)
            for index in next..<recent.count { recent[index].offset += text.count }
            recent.insert((time, offset), at: next)
            bodyEnd += text.count
            forgetOld()
            return
        }
        let continues = lateTime.map { $0 <= time } ?? false
        try add(line, at: time, beginsSegment: !continues)
        lateTime = time
    }

    private func add(_ line: String, at time: Timestamp?, beginsSegment: Bool) throws(GPXError) {
        let border = beginsSegment ? (isInSegment ? GPXText.segmentEnd : "") + GPXText.segmentStart : ""
        let text = Array((border + line).utf8)
        let wasInSegment = isInSegment
        isInSegment = true
        do throws(GPXError) {
            try write(text, at: bodyEnd)
        } catch {
            isInSegment = wasInSegment
            throw error
        }
        if beginsSegment { recent = [] }
        bodyEnd += text.count
        if let time {
            recent.append((time, bodyEnd - line.utf8.count))
            latest = max(latest ?? time, time)
        }
        forgetOld()
    }

    /// Writes text and the closing tags at once; the file only grows, so nothing is left behind them.
    private func write(_ text: [UInt8], at offset: Int) throws(GPXError) {
        let before = try storage.read(at: offset, count: size - offset)
        do throws(GPXError) {
            try storage.write(text + Self.ending(isInSegment: true), at: offset)
        } catch {
            try? storage.write(before, at: offset)
            try? storage.truncate(to: offset + before.count)
            throw error
        }
    }

    private func forgetOld() {
        recent.removeAll { $0.offset < bodyEnd - Self.lateWindow }
    }

    private var ending: [UInt8] { Self.ending(isInSegment: isInSegment) }

    private static func ending(isInSegment: Bool) -> [UInt8] {
        Array(((isInSegment ? GPXText.segmentEnd : "") + GPXText.trackEnd + GPXText.fileEnd).utf8)
    }
}
