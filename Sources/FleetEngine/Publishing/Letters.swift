internal import MQTTModel

/// What is sent once, such as an answer, and stands on no topic.
struct Letters {
    /// Bytes that wait. An empty one cannot be without end, since each answers a message that has come.
    private static let maximum = 16 << 20

    private var waiting = Queue<Message>()
    private var bytes = 0

    var isEmpty: Bool { waiting.isEmpty }

    /// - Returns: Whether there is room for it.
    mutating func add(_ letter: Message) -> Bool {
        guard bytes + letter.payload.count <= Self.maximum else { return false }
        bytes += letter.payload.count
        waiting.append(letter)
        return true
    }

    mutating func popFirst() -> Message? {
        let letter = waiting.popFirst()
        bytes -= letter?.payload.count ?? 0
        return letter
    }
}
