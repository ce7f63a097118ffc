import Timestamps

/// Finds where a log that was cut anywhere has its last whole point.
///
/// Looks at the file's end only, line by line: a log is written at its end, so what stands before is whole.
struct GPXLogRepair {
    /// Bytes at the end that are looked at first; more where nothing whole is in them.
    static let firstWindow = 64 * 1_024
    private static let longestHeader = 64 * 1_024

    /// Where the next point goes: after the last whole point, or where the first segment begins.
    private(set) var bodyEnd = 0
    /// Whether a segment is open there.
    private(set) var isInSegment = false
    /// Points of the last segment, oldest first, as far as they were looked at.
    private(set) var points: [(time: Timestamp, offset: Int)] = []
    private(set) var latest: Timestamp?

    /// - Returns: `nil` for a file that has no whole header: nothing was logged in it.
    /// - Throws: For a file that is no log.
    init?(_ storage: some GPXStorage, file: String) throws(GPXError) {
        let size = try storage.size
        let start = try storage.read(at: 0, count: min(size, Self.longestHeader))
        guard let headerEnd = Self.headerEnd(start) else {
            let opening = Array(GPXText.opening.utf8)
            // A power cut may leave a file of the right length without its content.
            let written = start[..<((start.lastIndex { $0 != 0 } ?? -1) + 1)]
            guard written.starts(with: opening) || opening.starts(with: written) else {
                throw GPXError(.notGPX, file: file, detail: "not a log of this program; it is left as it is")
            }
            return nil
        }
        var window = Self.firstWindow
        while true {
            let from = max(headerEnd, size - window)
            bodyEnd = headerEnd
            if try look(storage, from: from, isWhole: from == headerEnd, size: size) || from == headerEnd { return }
            window *= 8
        }
    }

    private static func headerEnd(_ bytes: [UInt8]) -> Int? {
        guard bytes.starts(with: Array(GPXText.opening.utf8)) else { return nil }
        var lines = 0
        for (index, byte) in bytes.enumerated() where byte == UInt8(ascii: "\n") {
            lines += 1
            // The declaration, gpx, trk, name.
            if lines == 4 { return index + 1 }
        }
        return nil
    }

    /// - Parameter isWhole: Whether `from` is where a line begins.
    /// - Returns: Whether anything whole was found.
    private mutating func look(
        _ storage: some GPXStorage, from: Int, isWhole: Bool, size: Int
    ) throws(GPXError) -> Bool {
        (points, latest, isInSegment) = ([], nil, false)
        let bytes = try storage.read(at: from, count: size - from)
        var lineStart = isWhole ? 0 : (bytes.firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count - 1) + 1
        var isOpen: Bool? = isWhole ? false : nil
        var found = false
        while lineStart < bytes.count, let end = bytes[lineStart...].firstIndex(of: UInt8(ascii: "\n")) {
            let line = String(decoding: bytes[lineStart...end], as: UTF8.self)
            switch line {
            case GPXText.segmentStart where isOpen != true:
                (isOpen, points) = (true, [])
            case GPXText.segmentEnd where isOpen != false:
                // Where nothing follows, the ending is written anew.
                isOpen = false
                lineStart = end + 1
                continue
            case _ where isOpen != false && Self.isPoint(line):
                isOpen = true
                if let time = Self.time(line) {
                    points.append((time, from + lineStart))
                    latest = max(latest ?? time, time)
                }
            default: return found
            }
            (found, isInSegment) = (true, true)
            bodyEnd = from + end + 1
            lineStart = end + 1
        }
        return found
    }

    private static func isPoint(_ line: String) -> Bool {
        line.hasPrefix("<trkpt lat=\"") && line.hasSuffix("</trkpt>\n") && line.ranges(of: "trkpt").count == 2
            && line.utf8.dropLast().allSatisfy { $0 >= 0x20 }
    }

    private static func time(_ line: String) -> Timestamp? {
        guard let start = line.firstRange(of: "<time>"), let end = line.firstRange(of: "</time>"),
            start.upperBound <= end.lowerBound
        else { return nil }
        return Timestamp(iso8601: String(line[start.upperBound..<end.lowerBound]))
    }
}
