internal import Foundation

/// What a configuration takes from outside of its file; a test brings its own.
public struct Surroundings {
    /// The value of an environment variable, which may be any bytes.
    public var variable: (String) -> [UInt8]?
    public var read: (_ path: String) -> Result<FileContent, FileError>
    /// The names in a folder.
    public var list: (_ path: String) -> Result<[String], FileError>
    /// Why nothing can be written into a folder, which may be still to be made; `nil`: something can.
    public var folderFault: (_ path: String) -> FileError?
    /// Tells installations apart.
    public var machineIdentifier: String
    /// Whether the system knows a time zone by this name.
    public var hasTimeZone: (String) -> Bool
    /// A file name as an absolute one.
    public var absolutePath: (String) -> String

    public struct FileContent: Sendable {
        public var bytes: [UInt8]
        public var isReadableByOthers: Bool

        public init(bytes: [UInt8], isReadableByOthers: Bool) {
            self.bytes = bytes
            self.isReadableByOthers = isReadableByOthers
        }
    }

    public struct FileError: Error, Hashable, Sendable {
        /// In the system's words.
        public var message: String

        public init(_ message: String) { self.message = message }
    }

    public init(
        variable: @escaping (String) -> [UInt8]?, read: @escaping (String) -> Result<FileContent, FileError>,
        list: @escaping (String) -> Result<[String], FileError> = { _ in .failure(FileError("No such folder")) },
        folderFault: @escaping (String) -> FileError? = { _ in nil },
        machineIdentifier: String, hasTimeZone: @escaping (String) -> Bool, absolutePath: @escaping (String) -> String
    ) {
        self.variable = variable
        self.read = read
        self.list = list
        self.folderFault = folderFault
        self.machineIdentifier = machineIdentifier
        self.hasTimeZone = hasTimeZone
        self.absolutePath = absolutePath
    }
}

extension Surroundings {
    /// The process's own.
    public static var system: Surroundings {
        Surroundings(
            variable: { getenv($0).map { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) } },
            read: { path in
                Result { () throws(FileError) in try readFile(path) }
            },
            list: { path in
                guard let folder = opendir(path) else { return .failure(FileError(String(cString: strerror(errno)))) }
                defer { closedir(folder) }
                var names: [String] = []
                while let entry = readdir(folder) {
                    names.append(
                        withUnsafePointer(to: &entry.pointee.d_name) { name in
                            name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                        })
                }
                return .success(names.sorted())
            },
            folderFault: { folderFault($0) },
            machineIdentifier: (try? readFile("/etc/machine-id")).map { String(decoding: $0.bytes, as: UTF8.self) }
                ?? "",
            hasTimeZone: { TimeZone(identifier: $0) != nil },  // as the formats will ask for it
            absolutePath: { path in
                guard let resolved = realpath(path, nil) else { return path }
                defer { free(resolved) }
                return String(cString: resolved)
            })
    }

    /// Looks at the folder, or at the nearest one above that is there: in it the rest would be made.
    private static func folderFault(_ path: String) -> FileError? {
        var folder = path
        while true {
            var status = stat()
            if stat(folder, &status) == 0 {
                if status.st_mode & S_IFMT == S_IFDIR, access(folder, W_OK | X_OK) == 0 { return nil }
                let code = status.st_mode & S_IFMT == S_IFDIR ? errno : ENOTDIR
                let reason = String(cString: strerror(code))
                return FileError(folder == path ? reason : "\(folder): \(reason)")
            }
            guard errno == ENOENT, folder != "/", folder != "." else {
                return FileError(String(cString: strerror(errno)))
            }
            folder = (folder as NSString).deletingLastPathComponent
            if folder.isEmpty { folder = "." }
        }
    }

    private static let maximumSize = 32 << 20

    private static func readFile(_ path: String) throws(FileError) -> FileContent {
        // Without waiting: a pipe that nobody writes to would block for ever.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw FileError(String(cString: strerror(errno))) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw FileError(String(cString: strerror(errno))) }
        guard status.st_mode & S_IFMT != S_IFDIR else { throw FileError("is a folder") }
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Foundation.read(descriptor, &chunk, chunk.count)
            if count == 0 { break }
            if count > 0 {
                bytes += chunk[..<count]
                guard bytes.count <= maximumSize else { throw FileError("more than \(maximumSize) bytes") }
            } else if errno != EINTR {
                throw FileError(String(cString: strerror(errno)))
            }
        }
        return FileContent(bytes: bytes, isReadableByOthers: status.st_mode & S_IROTH != 0)
    }
}
