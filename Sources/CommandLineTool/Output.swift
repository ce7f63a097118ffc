import Glibc

/// Why something could not be written.
public struct OutputFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// `errno`.
    public var code: Int32

    /// Nobody reads any more (`| head`), which is no news to who made it so.
    public var isClosedPipe: Bool { code == EPIPE }

    public var description: String { "the output cannot be written: \(String(cString: strerror(code)))" }
}

/// A stream of the process, written without a buffer: what was written is seen even when the process is killed next,
/// and Swift's `stdout` holds lines back in a pipe.
public struct Output: Sendable {
    public let descriptor: Int32

    public static let standardOutput = Output(descriptor: STDOUT_FILENO)
    public static let standardError = Output(descriptor: STDERR_FILENO)

    public init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Whoever started the program may have closed standard streams (`<&- >&-`). Then the next file or socket would get their
    /// numbers, and what is printed would go there.
    static func openClosedStreams() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            // The lowest number that is free is this one.
            _ = open("/dev/null", O_RDWR)
        }
    }

    /// Writes all of it, waiting where the reader is slow.
    ///
    /// - Returns: `false` when nobody reads any more or the disk is full. ``Program/main()`` ignores `SIGPIPE`, else
    ///   the process would end here.
    @discardableResult
    public func write(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { write(UnsafeRawBufferPointer($0)) }
    }

    @discardableResult
    public func write(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { write($0) }
    }

    /// Writes what the program is there for: a program whose answer does not arrive has failed. ``Program`` says so, and
    /// ends with ``ExitCode/failure``.
    public func print(_ text: String) throws(OutputFailure) {
        if !write(text) { throw OutputFailure(code: errno) }
    }

    private func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            if written >= 0 {
                rest = rest.dropFirst(written)
            } else if errno == EAGAIN {
                // Another program left the terminal non-blocking.
                var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = poll(&entry, 1, -1)
            } else if errno != EINTR {
                return false
            }
        }
        return true
    }
}
