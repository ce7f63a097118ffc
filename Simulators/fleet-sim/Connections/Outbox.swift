import MQTTModel

/// A message on its way to the broker, and whose it is.
struct Outgoing: Sendable {
    var message: Message
    var isTelemetry = false
    /// The number of the device on its connection; `nil` for what the connection says for all.
    var agent: Int?
}

/// What waits for room on a connection, oldest first.
struct Outbox {
    private var messages: [Outgoing] = []
    private var head = 0

    var isEmpty: Bool { head == messages.count }
    var count: Int { messages.count - head }
    var first: Outgoing? { head < messages.count ? messages[head] : nil }

    mutating func append(_ more: [Outgoing]) { messages += more }

    mutating func removeFirst() {
        head += 1
        if head == messages.count {
            removeAll()
        } else if head > 1_024, head * 2 > messages.count {
            messages.removeFirst(head)
            head = 0
        }
    }

    mutating func removeAll() {
        messages.removeAll(keepingCapacity: true)
        head = 0
    }
}
