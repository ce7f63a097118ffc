internal import HTTPServer
internal import JSON
internal import Synchronization

/// One reader of server-sent events: a snapshot, then what has changed since, as fast as the reader takes it. Who is slow
/// misses states in between, and nothing is kept for him but where he is.
///
/// Sendable without proof: the server reads a stream on one thread at a time, that of its connection.
final class EventStream: ResponseStream, @unchecked Sendable {
    private static let batchSize = 64 << 10
    private static let silence = Duration.seconds(15)

    private let store: BoardStore
    private let onClose: @Sendable () -> Void
    /// Up to where the reader has been told; `nil`: nothing yet.
    private var position: UInt64?
    private var waiting: [UInt8]
    private var offset = 0
    private var lastWritten = ContinuousClock.now

    /// - Parameter position: Where the reader was before; `nil`: it begins.
    init(_ store: BoardStore, from position: UInt64?, onClose: @escaping @Sendable () -> Void = {}) {
        (self.store, self.position, self.onClose) = (store, position, onClose)
        // How long to wait before connecting again; and the response begins at once.
        waiting = Array("retry: 2000\n\n".utf8)
    }

    func next(into buffer: UnsafeMutableBufferPointer<UInt8>) -> StreamStep {
        if offset == waiting.count { refill() }
        let part = waiting[offset...].prefix(buffer.count)
        guard !part.isEmpty else { return .nothingYet }
        _ = buffer.update(fromContentsOf: part)
        offset += part.count
        return .bytes(part.count)
    }

    private func refill() {
        (waiting, offset) = ([], 0)
        let batch = store.changes(since: position, atMost: Self.batchSize)
        if batch.isReset || !batch.items.isEmpty {
            waiting = BoardEvent.write(batch, reference: store.reference(batch.sequence))
        } else if ContinuousClock.now - lastWritten >= Self.silence {
            waiting = Array(": keep-alive\n\n".utf8)
        }
        position = batch.sequence
        if !waiting.isEmpty { lastWritten = .now }
    }

    func closed() { onClose() }
}

/// Changes as one server-sent event.
enum BoardEvent {
    /// - Parameter reference: What the reader sends as `Last-Event-ID` to go on behind it.
    static func write(_ batch: BoardStore.Batch, reference: String) -> [UInt8] {
        let name = batch.isReset ? "snapshot" : "delta"
        return Array("event: \(name)\nid: \(reference)\ndata: ".utf8) + data(of: batch) + Array("\n\n".utf8)
    }

    private static func data(of batch: BoardStore.Batch) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("complete")
        writer.bool(batch.isComplete)
        writer.key("locations")
        writer.beginArray()
        for item in batch.items { if case .location(let shown) = item.content { writer.raw(shown.state) } }
        writer.endArray()
        writer.key("removed")
        writer.beginArray()
        for item in batch.items {
            guard case .location(let source, let id) = item.key, case .gone = item.content else { continue }
            writer.beginObject()
            writer.key("source")
            writer.string(source.text)
            writer.key("id")
            writer.string(id.text)
            writer.endObject()
        }
        writer.endArray()
        writer.key("sources")
        writer.beginArray()
        for item in batch.items { if case .source(let description) = item.content { writer.raw(description) } }
        writer.endArray()
        writer.key("removedSources")
        writer.beginArray()
        for item in batch.items {
            if case .source(let id) = item.key, case .gone = item.content { writer.string(id.text) }
        }
        writer.endArray()
        for item in batch.items {
            guard case .bridge(let bytes) = item.content else { continue }
            writer.key("bridge")
            writer.raw(bytes)
        }
        writer.endObject()
        return writer.bytes
    }
}
