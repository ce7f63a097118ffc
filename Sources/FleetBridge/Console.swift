internal import CommandLineTool
internal import FleetEngine
internal import Timestamps

/// Log lines on standard error and, on a terminal, the fleet's table on standard output.
final class Console {
    private static let interval = Duration.milliseconds(250)

    /// Seconds that the end waits for a reader.
    private static let patience = 1.0

    private let writer: LogWriter
    private let output = BackgroundOutput()
    private let display: LiveDisplay?
    private(set) var nextDrawing: Duration?
    private var rate = RateMeter()

    init(_ writer: LogWriter) {
        self.writer = writer
        display = Terminal(.standardOutput).map { [output] in LiveDisplay($0) { output.write($0, to: $1) } }
        nextDrawing = display == nil ? nil : .zero
    }

    func log(_ entry: LogEntry, at time: Timestamp) {
        guard let line = writer.line(entry, at: time) else { return }
        // Only what goes to the same terminal must make room for it.
        if let display, Terminal(.standardError) != nil {
            display.scroll(line, to: .standardError)
        } else {
            output.write(line, to: .standardError)
        }
    }

    func show(_ engine: Engine, at now: Duration) {
        guard let display, let next = nextDrawing, now >= next else { return }
        nextDrawing = now + Self.interval
        let messages = engine.snapshot.messages
        display.draw(FleetTable(engine, messagesPerSecond: rate.measure(messages, at: now)).lines)
    }

    func finish() {
        display?.finish()
        output.drain(within: Self.patience)
    }
}

/// A count as a rate, over the last second or a little more.
struct RateMeter {
    private static let interval = Duration.seconds(1)

    private var start: (count: Int, time: Duration)?
    private var rate = 0.0

    mutating func measure(_ count: Int, at now: Duration) -> Double {
        guard let last = start else {
            start = (count, now)
            return 0
        }
        guard now >= last.time + Self.interval else { return rate }
        rate = Double(count - last.count) / (now - last.time).inSeconds
        start = (count, now)
        return rate
    }
}
