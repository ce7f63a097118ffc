internal import Locations
internal import MQTTModel
internal import Randomness
internal import Timestamps

/// Where a log stands: `{source}/{location}/{YYYY-MM-DD}.gpx`, and `{YYYY-MM-DD}-2.gpx` and so on where a day has several
/// files. Days are those of UTC.
struct LogName: Hashable {
    /// `{source}/{location}`.
    let folder: String
    /// `YYYY-MM-DD`.
    let day: String
    /// From 1 on.
    let number: Int

    /// Bytes of an id in a file's name; file systems take 255.
    private static let longestLevel = 200

    static func folder(source: Identifier, location: Identifier) -> String { "\(level(source))/\(level(location))" }

    static func day(of time: Timestamp) -> String { String(time.iso8601.prefix(10)) }

    var path: String { "\(folder)/\(file)" }
    var file: String { number == 1 ? "\(day).gpx" : "\(day)-\(number).gpx" }

    init(folder: String, day: String, number: Int) {
        (self.folder, self.day, self.number) = (folder, day, number)
    }

    /// - Returns: `nil` for a file that is no log.
    init?(folder: String, file: String) {
        let parts = file.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1] == "gpx" else { return nil }
        let levels = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        guard (3...4).contains(levels.count), zip(levels, [4, 2, 2]).allSatisfy({ $0.utf8.count == $1 }),
            levels.allSatisfy({ $0.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } })
        else { return nil }
        let number = levels.count == 4 ? Int(levels[3]) : 1
        guard let number else { return nil }
        self.init(folder: folder, day: levels.prefix(3).joined(separator: "-"), number: number)
        guard self.file == file else { return nil }
    }

    /// An id as in topics; `.` and `..` would lead elsewhere. One that is too long for a file's name ends in a number that is
    /// made of all of it.
    private static func level(_ id: Identifier) -> String {
        let level = TopicLevel.encode(id.text, reserved: [".", ".."])
        guard level.utf8.count > longestLevel else { return level }
        var start = level.prefix(longestLevel)
        while start.utf8.count > longestLevel - 17 { start.removeLast() }
        return "\(start)~\(String(StableHash.of(level), radix: 16))"
    }
}
