internal import CommandLineTool
internal import Configuration
internal import FleetEngine
internal import GPXLogging
internal import Locations
internal import Timestamps

/// The log of where locations were, as the bridge runs it.
final class TrackLog {
    /// Seconds that the end waits for what is not written yet.
    private static let patience = 5.0

    private let logger: GPXLogger
    private let directory: String
    private var reportDue = Duration.zero

    init(_ settings: GPXLogSettings, of engine: Engine) {
        directory = settings.directory
        let logger = GPXLogger(
            directory: settings.directory,
            limits: LogLimits(fileSize: settings.maxFileSize, totalSize: settings.maxSize, age: settings.maxAge),
            creator: "Fleet Bridge \(Version.current)", clock: { SystemClock.now().wall })
        self.logger = logger
        engine.add(TrackRecorder(settings.sources.map { Set($0.map { Identifier($0) }) }) { logger.log($0) })
    }

    /// Says what the logger has noticed, at most once a second.
    func report(to console: Console, at now: Instant) {
        guard now.monotonic >= reportDue else { return }
        reportDue = now.monotonic + .seconds(1)
        for notice in logger.takeNotices() { console.log(entry(notice), at: now.wall) }
    }

    /// Writes what waits.
    func finish(_ console: Console) {
        let left = logger.finish(within: Self.patience)
        let now = SystemClock.now().wall
        for notice in logger.takeNotices() { console.log(entry(notice), at: now) }
        if left > 0 {
            console.log(LogEntry(.error, "points are missing in the GPX log", ["points": String(left)]), at: now)
        }
    }

    private func entry(_ notice: GPXLogger.Notice) -> LogEntry {
        switch notice {
        case .repaired(let file):
            LogEntry(.warning, "a GPX log was cut off and is repaired", ["file": "\(directory)/\(file)"])
        case .deleted(let files): LogEntry(.info, "old GPX logs are deleted", ["files": String(files)])
        case .failing(let error):
            LogEntry(.error, "the GPX log cannot be written; trying again each second", ["error": error])
        case .recovered: LogEntry(.info, "the GPX log is written again")
        case .lost(let count):
            LogEntry(.error, "points are missing in the GPX log: too many wait", ["points": String(count)])
        }
    }
}
