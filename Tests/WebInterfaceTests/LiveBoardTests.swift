import DisplayRules
import JSON
import Locations
import Testing

@testable import WebInterface

@Suite("The live board")
struct LiveBoardTests {
    private static func coloured() throws -> DisplayRule {
        try DisplayRule(
            name: "main",
            set: [("iconColor", ["step", ["get", "charge"], "red", 30, "green"]), ("label", ["get", "name"])])
    }

    @Test(
        "A location is there at once and with its style, though no broker is; then it comes at its pace, the newest only"
    )
    func pace() throws {
        let board = try Board(rules: [Self.coloured()])
        board.put("a", charge: 10)
        #expect(board.advance())
        #expect(try board.state("a")?["charge"] == 10)
        #expect(try board.state("a")?["display"]?.object?["iconColor"] == "#ff0000")

        board.wait(.milliseconds(100))
        board.put("a", charge: 20)
        board.put("a", charge: 50)
        #expect(!board.advance())
        #expect(try board.state("a")?["charge"] == 10)
        let due = try #require(board.board.nextDeadline)
        #expect(due <= board.now.monotonic + .milliseconds(400))
        board.wait(.milliseconds(399))
        board.advance()
        #expect(try board.state("a")?["charge"] == 10)
        board.wait(.milliseconds(1))
        #expect(board.advance())
        #expect(try board.state("a")?["charge"] == 50)
        #expect(try board.state("a")?["display"]?.object?["iconColor"] == "#008000")
    }

    @Test("What is there before the board is looked at first is on it, too")
    func existing() throws {
        let board = try Board { source, now in
            var location = Location(id: "early", source: source.id, time: now.wall)
            location.charge = 5
            source.locations = [location]
        }
        #expect(try board.state("early")?["charge"] == 5)
    }

    @Test("What is urgent is there at once, whatever waits")
    func urgent() throws {
        let board = try Board()
        board.put("a", charge: 1)
        board.advance()
        board.put("a", charge: 2)
        board.put("a", charge: 3, isUrgent: true)
        #expect(board.advance())
        #expect(try board.state("a")?["charge"] == 3)
        // What waited for its time has been overtaken.
        let sequence = board.store.locations.sequence
        board.wait(.milliseconds(600))
        board.advance()
        #expect(Board.ids(board.store.changes(since: sequence, atMost: 1_000)) == [])
    }

    @Test("What is removed is gone at once, also while it waits")
    func removed() throws {
        let board = try Board()
        board.put("a", charge: 1)
        board.advance()
        let sequence = board.store.locations.sequence
        board.put("a", charge: 2)
        board.source.remove("a", at: board.now)
        board.advance()
        #expect(try board.state("a") == nil)
        #expect(Board.ids(board.store.changes(since: sequence, atMost: 1_000)) == ["-a"])
        board.wait(.seconds(1))
        board.advance()
        #expect(try board.state("a") == nil)
    }

    @Test("Other rules draw every location anew")
    func rules() throws {
        let board = try Board(rules: [Self.coloured()])
        board.put("a", charge: 10)
        board.advance()
        var configuration = board.engine.configuration
        configuration.displayRules = DisplayRuleSet([try DisplayRule(name: "main", set: [("iconColor", "blue")])])
        _ = board.engine.handle(.configuration(configuration, for: nil, needsRestart: []), at: board.now)
        #expect(board.advance())
        #expect(try board.state("a")?["display"] == ["iconColor": "#0000ff"])
    }

    @Test("A rule that ends by time alone is seen without a report")
    func hold() throws {
        let rule = try DisplayRule(
            name: "main", hysteresis: Hysteresis(property: "charge", margin: nil, hold: .seconds(5)),
            set: [("iconColor", ["step", ["get", "charge"], "red", 30, "green"])])
        let board = try Board(rules: [rule])
        board.put("a", charge: 50)
        board.advance()
        board.wait(.seconds(1))
        board.put("a", charge: 20)
        board.advance()
        #expect(try board.state("a")?["display"]?.object?["iconColor"] == "#008000")
        board.wait(.seconds(6))
        #expect(board.advance())
        #expect(try board.state("a")?["display"]?.object?["iconColor"] == "#ff0000")
    }

    @Test("Sources come, change and go")
    func sources() throws {
        let board = try Board()
        #expect(board.store.sources.map(\.id) == ["own"])
        board.source.status.kind = .unavailable
        for observer in board.source.observers { observer.statusChanged(of: board.source, at: board.now) }
        #expect(board.advance())
        let description = try JSONParser().parse(try #require(board.store.sources.first).description)
        #expect(description.object?["status"]?.object?["status"] == "unavailable")
        board.put("a", charge: 1)
        board.advance()
        #expect(board.engine.removeSource("own"))
        board.board.lookAtSourcesAgain(at: board.now.monotonic)
        board.advance()
        #expect(board.store.sources.isEmpty)
        #expect(board.store.locations.shown.isEmpty)
    }
}
