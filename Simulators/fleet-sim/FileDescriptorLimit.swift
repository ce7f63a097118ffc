import Glibc

/// Each device has its own connection, and each connection is an open file.
enum FileDescriptorLimit {
    struct TooFew: Error, CustomStringConvertible {
        var devices: Int
        var limit: Int

        var description: String {
            "\(devices) devices need more open files than the \(limit) allowed here; see 'ulimit -Hn'"
        }
    }

    /// Raises the soft limit as far as needed and allowed.
    static func raise(for devices: Int) throws(TooFew) {
        // Standard streams, the signal pipe, the resolver's files.
        let needed = rlim_t(devices + 64)
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0, limit.rlim_cur < needed else {
            return
        }
        guard limit.rlim_max >= needed else { throw TooFew(devices: devices, limit: Int(clamping: limit.rlim_max)) }
        limit.rlim_cur = needed
        _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}
