internal import Wording

/// A few lines at the end of the terminal that are drawn again in place, with log lines scrolling by above them.
///
/// Belongs to one thread. The frame is one write, so it does not flicker.
public final class LiveDisplay {
    private let output: Output
    private let size: () -> (columns: Int, rows: Int)
    private let write: (String, Output) -> Void
    private var frame: [String] = []
    private var drawnRows = 0
    private var isActive = false

    /// - Parameter write: How what is drawn gets to the terminal.
    public convenience init(_ terminal: Terminal, write: @escaping (String, Output) -> Void = { $1.write($0) }) {
        self.init(output: terminal.output, write: write) { terminal.size }
    }

    init(
        output: Output, write: @escaping (String, Output) -> Void = { $1.write($0) },
        size: @escaping () -> (columns: Int, rows: Int)
    ) {
        self.output = output
        self.write = write
        self.size = size
    }

    deinit { finish() }

    /// Replaces what was drawn last. The lines may hold text from outside: control characters are spelled out.
    public func draw(_ lines: [String]) {
        frame = lines.map(Escape.text)
        write(start() + erase() + render(), output)
    }

    /// Writes whole lines above the frame, to the same terminal whether through standard output or standard error.
    public func scroll(_ text: String, to stream: Output) {
        guard isActive else {
            write(text, stream)
            return
        }
        write(erase(), output)
        write(text, stream)
        write(render(), output)
    }

    /// Leaves the last frame standing and gives the terminal back as it was. Drawing again starts below it.
    public func finish() {
        guard isActive else { return }
        isActive = false
        drawnRows = 0
        write("\u{1b}[?7h\u{1b}[?25h", output)
    }

    /// Hides the cursor and stops lines from wrapping, which would break the count of rows.
    private func start() -> String {
        if isActive { return "" }
        isActive = true
        return "\u{1b}[?25l\u{1b}[?7l"
    }

    private func erase() -> String {
        let up = drawnRows > 0 ? "\u{1b}[\(drawnRows)A" : ""
        drawnRows = 0
        return "\r" + up + "\u{1b}[J"
    }

    private func render() -> String {
        let (columns, rows) = size()
        // The cursor rests in the row below the frame; what scrolled off the top could not be erased.
        var shown = Array(frame.prefix(max(1, rows - 1)))
        if shown.count < frame.count { shown[shown.count - 1] = "… and \(frame.count - shown.count + 1) more" }
        drawnRows = shown.count
        return shown.map { TextWidth.clipped($0, to: columns) + "\n" }.joined()
    }
}
