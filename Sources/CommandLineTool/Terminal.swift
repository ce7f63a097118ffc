import Glibc

/// The terminal behind an output, if it is one.
public struct Terminal: Sendable {
    public let output: Output

    /// `nil` for a pipe, a file or a terminal that cannot move its cursor (`TERM=dumb`).
    public init?(_ output: Output) {
        guard isatty(output.descriptor) == 1, getenv("TERM").map({ String(cString: $0) }) != "dumb" else { return nil }
        self.output = output
    }

    /// Columns and rows as they are now; 80 × 24 where the terminal does not say.
    public var size: (columns: Int, rows: Int) {
        var size = winsize()
        guard ioctl(output.descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return (80, 24)
        }
        return (Int(size.ws_col), Int(size.ws_row))
    }
}
