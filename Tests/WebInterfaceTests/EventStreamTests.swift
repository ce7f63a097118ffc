import Foundation
import HTTPServer
import JSON
import Locations
import Testing

@testable import WebInterface

@Suite("Server-sent events")
struct EventStreamTests {
    /// One event as a reader understands it.
    private struct Event {
        var name = "", id = "", data = JSONObject()
    }

    /// Takes what there is, in pieces of any size.
    private func read(_ stream: EventStream, pieces: Int = 7) throws -> [Event] {
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: pieces)
        reading: while true {
            switch buffer.withUnsafeMutableBufferPointer({ stream.next(into: $0) }) {
            case .bytes(let count): text += buffer.prefix(count)
            case .nothingYet, .end: break reading
            }
        }
        return try String(decoding: text, as: UTF8.self).components(separatedBy: "\n\n").compactMap { block in
            var event = Event()
            for line in block.split(separator: "\n") {
                let parts = line.split(separator: ": ", maxSplits: 1)
                switch parts[0] {
                case "event": event.name = String(parts[1])
                case "id": event.id = String(parts[1])
                case "data": event.data = try #require(JSONParser().parse(Array(parts[1].utf8)).object)
                default: break
                }
            }
            return event.name.isEmpty ? nil : event
        }
    }

    private func charges(_ event: Event?) -> [Double?] {
        (event?.data["locations"]?.array ?? []).map { $0.object?["charge"]?.number }
    }

    @Test("A snapshot, then deltas; and after a break from where the reader was")
    func resume() throws {
        let board = try Board()
        board.put("a\n\n<img>", charge: 1)
        board.advance()
        let stream = EventStream(board.store, from: nil)
        let first = try read(stream)
        #expect(first.map(\.name) == ["snapshot"])
        #expect(charges(first.first) == [1])
        #expect(first.first?.data["locations"]?.array?.first?.object?["id"] == "a\n\n<img>")
        #expect(first.first?.data["sources"]?.array?.count == 1)
        #expect(try read(stream).isEmpty)

        board.put("b", charge: 2)
        board.advance()
        let second = try read(stream, pieces: 100_000)
        #expect(second.map(\.name) == ["delta"])
        #expect(charges(second.first) == [2])

        board.source.remove("b", at: board.now)
        board.put("c", charge: 3)
        board.advance()
        let resumed = EventStream(board.store, from: board.store.sequence(of: second.first?.id ?? ""))
        let third = try read(resumed)
        #expect(third.map(\.name) == ["delta"])
        #expect(charges(third.first) == [3])
        #expect(third.first?.data["removed"] == [["source": "own", "id": "b"]])
        #expect(
            try read(EventStream(board.store, from: board.store.sequence(of: "other-1"))).map(\.name) == ["snapshot"])
    }

    @Test("A reader that does not read is kept one batch and its place, and sees the newest states when it does")
    func slow() throws {
        let board = try Board()
        board.put("a", charge: 0)
        board.advance()
        let stream = EventStream(board.store, from: nil)
        _ = try read(stream)
        for charge in 1...50 {
            board.put("a", charge: Double(charge), isUrgent: true)
            board.advance()
        }
        let events = try read(stream)
        #expect(events.count == 1)
        #expect(charges(events.first) == [50])
    }

    @Test("A large fleet comes in several events, of which the last says that it is complete")
    func large() throws {
        let board = try Board()
        for number in 0..<1_000 { board.put("n\(number)", charge: Double(number)) }
        while board.advance() {}
        let events = try read(EventStream(board.store, from: nil), pieces: 4_096)
        #expect(events.count > 2)
        #expect(events.map(\.name) == ["snapshot"] + Array(repeating: "delta", count: events.count - 1))
        #expect(events.map { $0.data["complete"] } == Array(repeating: false, count: events.count - 1) + [true])
        #expect(Set(events.flatMap { charges($0) }).count == 1_000)
    }
}
