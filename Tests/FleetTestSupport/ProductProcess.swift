public import Glibc

/// One of the package's programs, run by a test as a user would run it. Killed when the test lets go of it.
///
/// Give it a `--for` that bounds it, too: a test runner that is killed ends nothing.
public final class ProductProcess {
    public struct Failure: Error, CustomStringConvertible {
        public var description: String
    }

    public let identifier: pid_t
    private let inputFile: String, outputFile: String, errorFile: String
    private var status: Int32?

    /// - Parameters:
    ///   - product: Stands beside the test runner in the build directory.
    ///   - input: What it reads on standard input.
    ///   - environment: Variables beside the test's own.
    public convenience init(
        _ product: String, _ arguments: [String], input: [UInt8] = [], environment: [String: String] = [:]
    ) throws {
        try self.init(program: Self.path(product), arguments, input: input, environment: environment)
    }

    /// Where a product is.
    public static func path(_ product: String) throws -> String { try buildDirectory() + "/" + product }

    /// - Parameter program: The path of a program, of whomever.
    public init(
        program: String, _ arguments: [String], input: [UInt8] = [], environment: [String: String] = [:]
    ) throws {
        let directory = try makeTemporaryDirectory()
        (inputFile, outputFile, errorFile) = (directory + "/input", directory + "/output", directory + "/errors")
        try write(input, to: inputFile)

        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, inputFile, O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, outputFile, O_WRONLY | O_CREAT, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, errorFile, O_WRONLY | O_CREAT, 0o600)
        var pointers = ([program] + arguments).map { strdup($0) } + [nil]
        var variables = Self.environment(with: environment).map { strdup($0) } + [nil]
        defer { for pointer in pointers + variables { free(pointer) } }
        var identifier: pid_t = 0
        // With the signal mask of a test's thread, which blocks what asks a program to end: it must not depend on that.
        let code = posix_spawn(&identifier, program, &actions, nil, &pointers, &variables)
        guard code == 0 else { throw Failure(description: "start \(program): \(String(cString: strerror(code)))") }
        self.identifier = identifier
    }

    deinit {
        if status == nil {
            kill(identifier, SIGKILL)
            waitpid(identifier, nil, 0)
        }
        for file in [inputFile, outputFile, errorFile] { unlink(file) }
        rmdir(String(outputFile.dropLast("/output".count)))
    }

    /// What it has written to standard output so far.
    public var output: String { Self.text(of: outputFile) }
    public var errors: String { Self.text(of: errorFile) }

    public func send(_ signal: Int32) {
        if status == nil { kill(identifier, signal) }
    }

    /// Waits for the end.
    ///
    /// - Returns: The exit code; 128 and the signal's number where a signal ended it, as a shell says it.
    public func wait(atMost patience: Duration = .seconds(10)) throws -> Int32 {
        let limit = monotonicNow() + patience
        while status == nil {
            var raw: Int32 = 0
            if waitpid(identifier, &raw, WNOHANG) == identifier {
                status = raw & 0x7f == 0 ? (raw >> 8) & 0xff : 128 + raw & 0x7f
            } else if monotonicNow() >= limit {
                throw Failure(description: "still running after \(patience); it wrote: \(output)\(errors)")
            } else {
                usleep(5_000)
            }
        }
        return status ?? -1
    }

    /// Waits until its standard output holds a text.
    public func waitForOutput(_ text: String, atMost patience: Duration = .seconds(10)) throws {
        try wait(for: text, 1, atMost: patience) { output }
    }

    /// Waits until its standard error holds a text, so many times.
    public func waitForErrors(_ text: String, times: Int = 1, atMost patience: Duration = .seconds(30)) throws {
        try wait(for: text, times, atMost: patience) { errors }
    }

    private func wait(for text: String, _ times: Int, atMost patience: Duration, in written: () -> String) throws {
        let limit = monotonicNow() + patience
        while written().split(separator: text, omittingEmptySubsequences: false).count <= times {
            guard monotonicNow() < limit else { throw Failure(description: "no '\(text)' in: \(output)\(errors)") }
            usleep(5_000)
        }
    }

    private static func environment(with others: [String: String]) -> [String] {
        var result = others.map { "\($0.key)=\($0.value)" }
        var next = environ
        while let entry = next.pointee {
            let text = String(cString: entry)
            if others[String(text.prefix { $0 != "=" })] == nil { result.append(text) }
            next += 1
        }
        return result
    }

    private static func buildDirectory() throws -> String {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let length = readlink("/proc/self/exe", &buffer, buffer.count)
        let path = String(decoding: buffer.prefix(max(0, length)).map(UInt8.init(bitPattern:)), as: UTF8.self)
        guard let slash = path.lastIndex(of: "/") else { throw Failure(description: "no build directory") }
        return String(path[..<slash])
    }

    private static func text(of path: String) -> String { String(decoding: read(path), as: UTF8.self) }
}
