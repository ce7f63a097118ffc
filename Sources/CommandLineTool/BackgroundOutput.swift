internal import Foundation

/// Writes on a thread of its own, so that a reader who stopped reading (a terminal with Ctrl-S, a pager, a stalled log shipper)
/// keeps nobody waiting. What is too much to be kept until he reads on is left out, and so many lines are told then.
///
/// Sendable without proof: what changes is guarded by `condition`.
public final class BackgroundOutput: @unchecked Sendable {
    /// Bytes that wait at most.
    private let limit: Int

    // Guarded by `condition`.
    private let condition = NSCondition()
    private var queue: [(text: String, output: Output)] = []
    private var bytes = 0
    private var lost = 0
    private var isWriting = false

    public init(limit: Int = 1 << 20) {
        self.limit = limit
        let thread = Thread { [self] in run() }
        thread.name = "output"
        thread.start()
    }

    /// Takes a text; returns at once.
    public func write(_ text: String, to output: Output) {
        condition.withLock {
            guard bytes + text.utf8.count <= limit else {
                lost += 1
                return
            }
            queue.append((text, output))
            bytes += text.utf8.count
            condition.broadcast()
        }
    }

    /// Waits until everything is written.
    ///
    /// - Parameter seconds: At most; what is not written by then may never be.
    public func drain(within seconds: Double) {
        condition.withLock {
            let end = Date(timeIntervalSinceNow: seconds)
            while !queue.isEmpty || isWriting, condition.wait(until: end) {}
        }
    }

    private func run() {
        while true {
            let (text, output, lost) = next()
            if lost > 0 { output.write("… \(lost) lines are missing here: nobody was reading\n") }
            output.write(text)
        }
    }

    private func next() -> (String, Output, Int) {
        condition.withLock {
            isWriting = false
            condition.broadcast()
            while queue.isEmpty { condition.wait() }
            let first = queue.removeFirst()
            bytes -= first.text.utf8.count
            isWriting = true
            // Where they are missing is only known to be somewhere after what has waited.
            let missing = queue.isEmpty ? lost : 0
            if queue.isEmpty { lost = 0 }
            return (first.text, first.output, missing)
        }
    }
}
