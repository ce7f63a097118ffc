internal import Timestamps

/// How much of the past a log keeps.
public struct LogLimits: Sendable, Equatable {
    /// Bytes of one file, from which on the day goes on in another.
    public var fileSize = 64 << 20
    /// Bytes of all files, beyond which the oldest days are deleted; `nil`: any.
    public var totalSize: Int?
    /// How old a day gets before its files are deleted; `nil`: any age.
    public var age: Duration?

    public init(fileSize: Int = 64 << 20, totalSize: Int? = nil, age: Duration? = nil) {
        (self.fileSize, self.totalSize, self.age) = (fileSize, totalSize, age)
    }

    /// What has to go. Files of today stay: they are being written.
    func surplus(_ entries: [LogFiles.Entry], at now: Timestamp) -> [LogName] {
        let today = LogName.day(of: now)
        let first = age.map { LogName.day(of: now.advanced(by: .zero - $0)) }
        let oldestFirst = entries.filter { $0.name.day < today }.sorted {
            ($0.name.day, $0.name.path) < ($1.name.day, $1.name.path)
        }
        var total = entries.reduce(0) { $0 + $1.bytes }
        var surplus: [LogName] = []
        for entry in oldestFirst {
            let isTooOld = first.map { entry.name.day < $0 } ?? false
            let isTooMuch = totalSize.map { total > $0 } ?? false
            guard isTooOld || isTooMuch else { continue }
            total -= entry.bytes
            surplus.append(entry.name)
        }
        return surplus
    }
}
