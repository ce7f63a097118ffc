import Locations
import Testing

@testable import WebInterface

@Suite("What readers are told")
struct BoardStoreTests {
    private func board(_ ids: String...) throws -> Board {
        let board = try Board()
        for id in ids { board.put(id, charge: 1) }
        board.advance()
        return board
    }

    private func change(_ board: Board, _ id: String) {
        board.put(id, charge: 2, isUrgent: true)
        board.advance()
    }

    @Test("Everything first, then what has changed, each location once however often it changed")
    func deltas() throws {
        let board = try board("a", "b", "c")
        let first = board.store.changes(since: nil, atMost: 1 << 20)
        #expect(first.isReset && first.isComplete)
        #expect(Board.ids(first).sorted() == ["a", "b", "c"])
        change(board, "a")
        change(board, "b")
        change(board, "a")
        let second = board.store.changes(since: first.sequence, atMost: 1 << 20)
        #expect(!second.isReset)
        #expect(Board.ids(second) == ["b", "a"])
        #expect(Board.ids(board.store.changes(since: second.sequence, atMost: 1 << 20)) == [])
    }

    @Test("A batch ends when it is full, and goes on where it ended, with what changed meanwhile last")
    func batches() throws {
        let board = try board("a", "b", "c")
        var told: [String] = []
        var batch = board.store.changes(since: nil, atMost: 1)
        #expect(batch.isReset && !batch.isComplete)
        while !batch.isComplete {
            told += Board.ids(batch)
            if told == ["a"] { change(board, "a") }
            batch = board.store.changes(since: batch.sequence, atMost: 1)
            #expect(!batch.isReset)
        }
        #expect(told + Board.ids(batch) == ["a", "b", "c", "a"])
    }

    @Test("Who has seen nothing is not told what is gone; who has seen it is")
    func gone() throws {
        let board = try board("a", "b")
        let sequence = board.store.locations.sequence
        board.source.remove("a", at: board.now)
        board.advance()
        #expect(Board.ids(board.store.changes(since: sequence, atMost: 1_000)) == ["-a"])
        #expect(Board.ids(board.store.changes(since: nil, atMost: 1_000)) == ["b"])
    }

    @Test("When what is gone is forgotten, who was before that begins anew")
    func floor() throws {
        let board = try board("x")
        let early = board.store.locations.sequence
        for number in 0..<12 {
            board.put("n\(number)", charge: 1)
            board.advance()
            board.source.remove(Identifier("n\(number)"), at: board.now)
            board.advance()
        }
        let late = board.store.locations.sequence
        #expect(board.store.changes(since: early, atMost: 1 << 20).isReset)
        #expect(Board.ids(board.store.changes(since: early, atMost: 1 << 20)) == ["x"])
        #expect(!board.store.changes(since: late, atMost: 1 << 20).isReset)
    }

    @Test("The log of changes stays as long as what is there")
    func bounded() throws {
        let board = try board("a", "b")
        for _ in 0..<5_000 { change(board, "a") }
        #expect(board.store.logSize <= 1_100)
        #expect(Board.ids(board.store.changes(since: nil, atMost: 1 << 20)).sorted() == ["a", "b"])
    }

    @Test("A number of the future, of another process or of nonsense is none")
    func references() throws {
        let board = try board("a")
        let sequence = board.store.locations.sequence
        #expect(board.store.sequence(of: board.store.reference(sequence)) == sequence)
        for other in ["", "e", "e-", "e--1", "e-1-2", "f-1", "e-x", "e-99999999999999999999"] {
            #expect(board.store.sequence(of: other) == nil)
        }
        #expect(board.store.changes(since: sequence + 1, atMost: 1_000).isReset)
    }
}
