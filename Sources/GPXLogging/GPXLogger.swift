internal import Foundation
public import Timestamps

/// Writes points to their files on a thread of its own: a disk that is slow or full keeps nobody waiting.
///
/// What cannot be written is tried again each second; what is too much to be kept until then is lost, and said so.
///
/// Sendable without proof: what changes is guarded by `condition`, and the files belong to the thread alone.
public final class GPXLogger: @unchecked Sendable {
    /// Points that wait at most.
    public static let queueLimit = 100_000
    private static let retryInterval = 1.0
    private static let houseKeepingInterval = Duration.seconds(3_600)

    /// What the logger has to say, for the bridge's log.
    public enum Notice: Sendable, Equatable {
        case repaired(file: String)
        case deleted(files: Int)
        /// Writing fails; it goes on when it does not any more.
        case failing(String)
        case recovered
        /// So many points did not fit into the queue since the last notice.
        case lost(Int)
    }

    private let directory: String
    private let limits: LogLimits
    private let files: LogFiles
    private let clock: @Sendable () -> Timestamp

    // Guarded by `condition`.
    private let condition = NSCondition()
    private var queue: [LoggedPoint] = []
    private var notices: [Notice] = []
    private var lost = 0
    private var written = 0
    private var isEnding = false
    private var hasEnded = false

    /// Begins to log.
    ///
    /// - Parameters:
    ///   - directory: Made where it is not there.
    ///   - clock: The time of day, by which days become old.
    public init(directory: String, limits: LogLimits, creator: String, clock: @escaping @Sendable () -> Timestamp) {
        (self.directory, self.limits, self.clock) = (directory, limits, clock)
        files = LogFiles(directory: directory, creator: creator, maximumFileSize: limits.fileSize)
        let thread = Thread { [self] in run() }
        thread.name = "gpx-log"
        thread.start()
    }

    /// Takes a point; returns at once.
    public func log(_ point: LoggedPoint) {
        condition.withLock {
            guard queue.count < Self.queueLimit else {
                lost += 1
                return
            }
            queue.append(point)
            condition.signal()
        }
    }

    /// What there is to say since the last call.
    public func takeNotices() -> [Notice] {
        condition.withLock {
            var taken = notices
            notices = []
            if lost > 0 { taken.append(.lost(lost)) }
            lost = 0
            return taken
        }
    }

    /// Points that are in files.
    public var count: Int { condition.withLock { written } }

    /// Writes what waits, and ends.
    ///
    /// - Parameter limit: Seconds to wait for that at most.
    /// - Returns: Points that were not written.
    public func finish(within limit: Double) -> Int {
        condition.withLock {
            isEnding = true
            condition.broadcast()
            let end = Date(timeIntervalSinceNow: limit)
            while !hasEnded, condition.wait(until: end) {}
            return queue.count
        }
    }

    // MARK: The thread

    private func run() {
        var isFailing = !prepare()
        var keptHouse = clock()
        while let points = next() {
            var count = 0
            do {
                for point in points {
                    try files.append(point)
                    count += 1
                }
                if isFailing { say(.recovered) }
                isFailing = false
                put(written: count, back: [])
            } catch {
                if !isFailing { say(.failing("\(error)")) }
                isFailing = true
                put(written: count, back: points[count...])
                if !waitBeforeRetry() { break }
            }
            if clock().duration(since: keptHouse) >= Self.houseKeepingInterval {
                keptHouse = clock()
                keepHouse()
            }
        }
        condition.withLock {
            hasEnded = true
            condition.broadcast()
        }
    }

    /// - Returns: Whether there is a folder to write to.
    private func prepare() -> Bool {
        var hasFolder = true
        do {
            try LogFiles.makeFolder(directory)
        } catch {
            say(.failing("\(error)"))
            hasFolder = false
        }
        for file in files.repair() { say(.repaired(file: file)) }
        keepHouse()
        return hasFolder
    }

    private func keepHouse() {
        guard limits.totalSize != nil || limits.age != nil else { return }
        let surplus = limits.surplus(files.entries, at: clock())
        let deleted = surplus.count { (try? files.delete($0)) != nil }
        if deleted > 0 { say(.deleted(files: deleted)) }
    }

    private func say(_ notice: Notice) { condition.withLock { notices.append(notice) } }

    /// The points that wait; `nil` at the end.
    private func next() -> [LoggedPoint]? {
        condition.withLock {
            // Awake now and then all the same, to keep house.
            while queue.isEmpty, !isEnding { if !condition.wait(until: Date(timeIntervalSinceNow: 60)) { break } }
            if queue.isEmpty, isEnding { return nil }
            defer { queue = [] }
            return queue
        }
    }

    private func put(written count: Int, back points: ArraySlice<LoggedPoint>) {
        condition.withLock {
            written += count
            queue = points + queue
        }
    }

    /// - Returns: `false` where nothing is tried any more.
    private func waitBeforeRetry() -> Bool {
        condition.withLock {
            let end = Date(timeIntervalSinceNow: Self.retryInterval)
            while !isEnding, condition.wait(until: end) {}
            return !isEnding
        }
    }
}
