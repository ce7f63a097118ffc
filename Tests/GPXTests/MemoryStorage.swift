@testable import GPX

/// A file in memory, which can break in the middle of a write.
final class MemoryStorage: GPXStorage {
    var bytes: [UInt8] = []
    /// How many more bytes are written before the disk is full; `nil`: as many as wanted.
    var room: Int?
    private(set) var writes: [(bytes: [UInt8], offset: Int)] = []

    init(_ bytes: [UInt8] = []) { self.bytes = bytes }

    var size: Int { bytes.count }

    func read(at offset: Int, count: Int) -> [UInt8] { Array(bytes.dropFirst(offset).prefix(count)) }

    func write(_ new: [UInt8], at offset: Int) throws(GPXError) {
        writes.append((new, offset))
        let part = Array(new.prefix(room ?? new.count))
        Self.apply(part, at: offset, to: &bytes)
        if let room {
            self.room = room - part.count
            if part.count < new.count { throw GPXError(.unreadable, file: "memory", detail: "No space left on device") }
        }
    }

    static func apply(_ new: [UInt8], at offset: Int, to bytes: inout [UInt8]) {
        if bytes.count < offset + new.count { bytes += [UInt8](repeating: 0, count: offset + new.count - bytes.count) }
        bytes.replaceSubrange(offset..<offset + new.count, with: new)
    }

    func truncate(to size: Int) { bytes = Array(bytes.prefix(size)) }
    func synchronize() {}

    var text: String { String(decoding: bytes, as: UTF8.self) }
}
