internal import CommandLineTool
internal import Glibc
internal import JSON
internal import Wording

/// Reads files line by line.
enum InputLines {
    /// Why a line cannot be used.
    struct Fault: Error, CustomStringConvertible {
        var description: String
        init(_ description: String) { self.description = description }
    }

    /// Hands each line over; a faulty one is reported as `file:line:` and the rest still read. Empty lines count for nothing.
    ///
    /// - Parameters:
    ///   - path: `nil` or `-`: standard input.
    ///   - use: Throws a ``Fault`` or a `JSONError` for a line that cannot be used; any other error ends the reading.
    /// - Returns: ``ExitCode/failure`` where a line was faulty.
    static func read(_ path: String? = nil, _ use: ([UInt8]) throws -> Void) throws -> ExitCode {
        let file = path.flatMap { $0 == "-" ? nil : $0 }
        guard let stream = file.map({ fopen($0, "re") }) ?? fdopen(STDIN_FILENO, "r") else {
            throw Fault("\(file ?? "standard input"): \(String(cString: strerror(errno)))")
        }
        defer { fclose(stream) }
        var buffer: UnsafeMutablePointer<CChar>?
        var capacity = 0
        defer { free(buffer) }
        var number = 0
        var exitCode = ExitCode.success
        func report(_ message: String) {
            Output.standardError.write("\(file ?? "-"):\(number): \(Escape.text(message))\n")
            exitCode = .failure
        }
        while true {
            errno = 0
            let count = getline(&buffer, &capacity, stream)
            guard count > 0, let buffer else { break }
            number += 1
            let line = [UInt8](UnsafeRawBufferPointer(start: buffer, count: count))
            guard line.contains(where: { $0 > 0x20 }) else { continue }
            do {
                try use(line)
            } catch let error as JSONError {
                report(error.detail)
            } catch let error as Fault {
                report("\(error)")
            }
        }
        // A folder can be opened, too.
        if ferror(stream) != 0 {
            throw Fault("\(file ?? "standard input") cannot be read: \(String(cString: strerror(errno)))")
        }
        return exitCode
    }
}
