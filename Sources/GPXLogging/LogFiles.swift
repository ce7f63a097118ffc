internal import Foundation
internal import GPX
internal import Timestamps

/// The files of a log: one for each location and day, and more where one gets too large.
final class LogFiles {
    /// Files that are kept open at most.
    private static let openAtMost = 64

    private let directory: String
    private let creator: String
    private let maximumFileSize: Int
    /// The file in use of a folder and day.
    private var open: [String: (name: LogName, log: GPXLog, use: Int)] = [:]
    private var uses = 0

    init(directory: String, creator: String, maximumFileSize: Int) {
        (self.directory, self.creator, self.maximumFileSize) = (directory, creator, maximumFileSize)
    }

    /// Writes a point; the file is well-formed before and after.
    ///
    /// - Throws: Where it could not be written: the point is in no file then.
    func append(_ logged: LoggedPoint) throws {
        let day = LogName.day(of: logged.point.time ?? Timestamp(milliseconds: 0))
        let folder = LogName.folder(source: logged.source, location: logged.location)
        let key = "\(folder)/\(day)"
        var number = 1
        // A file that somebody has deleted or moved away is no place to write to.
        if let known = open[key], FileManager.default.fileExists(atPath: "\(directory)/\(known.name.path)") {
            guard known.log.size >= maximumFileSize else { return try append(logged, to: known.log, key) }
            number = known.name.number + 1
            open[key] = nil
        } else {
            open[key] = nil
            try Self.makeFolder("\(directory)/\(folder)")
            number = lastNumber(in: folder, day)
        }
        while true {
            let name = LogName(folder: folder, day: day, number: number)
            number += 1
            guard let log = try openLog(name, of: logged.name) else { continue }
            guard log.size < maximumFileSize else { continue }
            closeLeastUsed()
            open[key] = (name, log, uses)
            return try append(logged, to: log, key)
        }
    }

    /// Makes a folder, and those that it is in, where they are not there.
    static func makeFolder(_ path: String) throws(GPXError) {
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            // Foundation has no words for most of them; the system has.
            let code = ((error as? CocoaError)?.underlying as? POSIXError)?.code
            let why = code.map { String(cString: strerror($0.rawValue)) } ?? error.localizedDescription
            throw GPXError(.unreadable, file: path, detail: "the folder cannot be made: \(why)")
        }
    }

    /// - Returns: `nil` where somebody else's file has the name.
    private func openLog(_ name: LogName, of track: String) throws(GPXError) -> GPXLog? {
        do {
            return try GPXLog(
                GPXFileStorage(path: "\(directory)/\(name.path)"), file: name.path, creator: creator, name: track)
        } catch {
            guard error.reason == .notGPX else { throw error }
            return nil
        }
    }

    private func append(_ logged: LoggedPoint, to log: GPXLog, _ key: String) throws {
        uses += 1
        open[key]?.use = uses
        // What is heard first after a restart often is what was logged last before it.
        if logged.isAfterGap, let time = logged.point.time, time == log.latest { return }
        try log.append(logged.point, gap: logged.isAfterGap)
    }

    private func lastNumber(in folder: String, _ day: String) -> Int {
        var number = 1
        while FileManager.default.fileExists(
            atPath: "\(directory)/\(LogName(folder: folder, day: day, number: number + 1).path)")
        { number += 1 }
        return number
    }

    private func closeLeastUsed() {
        guard open.count >= Self.openAtMost, let key = open.min(by: { $0.value.use < $1.value.use })?.key else {
            return
        }
        open[key] = nil
    }

    // MARK: Keeping house

    /// A file of the log.
    struct Entry {
        let name: LogName
        let bytes: Int
    }

    /// All files that are logs by their names.
    var entries: [Entry] {
        func names(_ path: String) -> [String] {
            ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
        }
        var entries: [Entry] = []
        for source in names(directory) {
            for location in names("\(directory)/\(source)") {
                let folder = "\(source)/\(location)"
                entries += names("\(directory)/\(folder)").compactMap { entry(folder, $0) }
            }
        }
        return entries
    }

    private func entry(_ folder: String, _ file: String) -> Entry? {
        guard let name = LogName(folder: folder, file: file) else { return nil }
        let attributes = try? FileManager.default.attributesOfItem(atPath: "\(directory)/\(name.path)")
        return Entry(name: name, bytes: (attributes?[.size] as? NSNumber)?.intValue ?? 0)
    }

    /// Mends what a power cut has left without its end.
    ///
    /// - Returns: The files that were mended.
    func repair() -> [String] {
        var repaired: [String] = []
        for entry in entries where !endsWell(entry.name.path, entry.bytes) {
            let path = entry.name.path
            let log = try? GPXLog(
                GPXFileStorage(path: "\(directory)/\(path)"), file: path, creator: creator, name: entry.name.folder)
            if case .repaired = log?.opening { repaired.append(path) }
        }
        return repaired
    }

    private func endsWell(_ path: String, _ bytes: Int) -> Bool {
        let end = Data("</gpx>\n".utf8)
        guard bytes >= end.count, let file = FileHandle(forReadingAtPath: "\(directory)/\(path)") else { return false }
        defer { try? file.close() }
        try? file.seek(toOffset: UInt64(bytes - end.count))
        return (try? file.read(upToCount: end.count)) == end
    }

    /// Deletes a file, and its folders where they are empty then.
    func delete(_ name: LogName) throws {
        open["\(name.folder)/\(name.day)"] = nil
        try FileManager.default.removeItem(atPath: "\(directory)/\(name.path)")
        rmdir("\(directory)/\(name.folder)")
        if let source = name.folder.split(separator: "/").first { rmdir("\(directory)/\(source)") }
    }
}
