internal import Glibc

/// Where a log's bytes are. What a log needs of a file, and no more.
public protocol GPXStorage: AnyObject {
    var size: Int { get throws(GPXError) }
    /// - Returns: Fewer bytes than asked for only at the end.
    func read(at offset: Int, count: Int) throws(GPXError) -> [UInt8]
    /// Writes all of it, in one go where the system lets it.
    func write(_ bytes: [UInt8], at offset: Int) throws(GPXError)
    func truncate(to size: Int) throws(GPXError)
    /// Returns when what was written is on the disk.
    func synchronize() throws(GPXError)
}

/// A file that one process writes.
public final class GPXFileStorage: GPXStorage {
    public let path: String
    private let descriptor: Int32

    /// Opens the file, or creates it; its folder must be there.
    ///
    /// - Throws: Also where another process writes it.
    public init(path: String) throws(GPXError) {
        self.path = path
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw Self.failure(path) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw errno == EWOULDBLOCK
                ? GPXError(.unreadable, file: path, detail: "another process writes this file") : Self.failure(path)
        }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    public var size: Int {
        get throws(GPXError) {
            let end = lseek(descriptor, 0, SEEK_END)
            guard end >= 0 else { throw Self.failure(path) }
            return end
        }
    }

    public func read(at offset: Int, count: Int) throws(GPXError) -> [UInt8] {
        var result: [UInt8] = []
        while result.count < count {
            var part = [UInt8](repeating: 0, count: count - result.count)
            let got = pread(descriptor, &part, part.count, offset + result.count)
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else { throw Self.failure(path) }
            if got == 0 { break }
            result += part.prefix(got)
        }
        return result
    }

    public func write(_ bytes: [UInt8], at offset: Int) throws(GPXError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes {
                pwrite(descriptor, $0.baseAddress, $0.count, offset + bytes.count - rest.count)
            }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { throw Self.failure(path) }
            rest = rest.dropFirst(written)
        }
    }

    public func truncate(to size: Int) throws(GPXError) {
        guard ftruncate(descriptor, size) == 0 else { throw Self.failure(path) }
    }

    public func synchronize() throws(GPXError) {
        guard fdatasync(descriptor) == 0 else { throw Self.failure(path) }
    }

    private static func failure(_ path: String) -> GPXError {
        GPXError(.unreadable, file: path, detail: String(cString: strerror(errno)))
    }
}
