import Glibc

/// A file that is gone when the test lets go of it. Others may read it: a broker may run as another user.
public final class TemporaryFile {
    public let path: String
    private let directory: String

    public init(_ name: String, _ text: String) throws {
        directory = try makeTemporaryDirectory()
        chmod(directory, 0o755)
        path = directory + "/" + name
        try write(Array(text.utf8), to: path)
        chmod(path, 0o644)
    }

    deinit {
        unlink(path)
        rmdir(directory)
    }

    public var text: String { String(decoding: read(path), as: UTF8.self) }

    /// Writes another text into it.
    public func replace(with text: String) throws { try write(Array(text.utf8), to: path) }
}

struct FileFailure: Error {
    var path: String
    var code = errno
}

func makeTemporaryDirectory() throws -> String {
    var template = Array("/tmp/fleet-test-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw FileFailure(path: "/tmp") }
    return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
}

/// With the files in it.
func removeDirectory(_ path: String) {
    guard let directory = opendir(path) else { return }
    while let entry = readdir(directory) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
            pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        unlink(path + "/" + name)
    }
    closedir(directory)
    rmdir(path)
}

func write(_ bytes: [UInt8], to path: String) throws {
    guard let file = fopen(path, "we") else { throw FileFailure(path: path) }
    fwrite(bytes, 1, bytes.count, file)
    guard fclose(file) == 0 else { throw FileFailure(path: path) }
}

func read(_ path: String) -> [UInt8] {
    guard let file = fopen(path, "re") else { return [] }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
        let count = fread(&buffer, 1, buffer.count, file)
        if count == 0 { return bytes }
        bytes += buffer.prefix(count)
    }
}
