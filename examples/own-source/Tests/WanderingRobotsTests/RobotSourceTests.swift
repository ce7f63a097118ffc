import Locations
import Testing
import Timestamps
import WanderingRobots

struct RobotSourceTests {
    private final class Notes: LocationObserver {
        var updates: [Location] = []
        var statuses: [SourceStatus.Kind] = []

        func locationsUpdated(_ updates: [LocationUpdate], from source: any LocationSource, at now: Instant) {
            self.updates += updates.map(\.location)
        }
        func locationsDeleted(_ ids: [Identifier], from source: any LocationSource, at now: Instant) {}
        func statusChanged(of source: any LocationSource, at now: Instant) { statuses.append(source.status.kind) }
    }

    private let start = Instant(wall: Timestamp(milliseconds: 1_795_953_600_000), monotonic: .zero)
    private let notes = Notes()

    private func source(count: Int = 3) -> RobotSource {
        let source = RobotSource(count: count, seed: 1, at: start)
        source.observers = [notes]
        return source
    }

    @Test("Started, it tells of all robots and that it is available")
    func begins() {
        let source = source()
        source.start(at: start)
        #expect(notes.updates.map(\.id) == ["robot1", "robot2", "robot3"])
        #expect(notes.statuses == [.available])
        #expect(source.counts[.live] == 3)
    }

    @Test("Every half second each robot is less than half a metre further")
    func steps() throws {
        let source = source(count: 1)
        source.start(at: start)
        for step in 1...100 {
            let now = start.advanced(by: .milliseconds(500 * step))
            #expect(source.nextDeadline == now.monotonic)
            source.advance(to: now)
        }
        #expect(notes.updates.count == 101)
        for (before, after) in zip(notes.updates, notes.updates.dropFirst()) {
            let (from, to) = (try #require(before.position), try #require(after.position))
            #expect(from != to)
            #expect(from.distance(to: to) < 0.6)
        }
    }

    @Test("Stopped, it has nothing to do any more")
    func stops() {
        let source = source()
        source.start(at: start)
        source.stop(at: start)
        #expect(source.nextDeadline == nil)
        #expect(notes.statuses == [.available, .inactive])
        source.advance(to: start.advanced(by: .seconds(60)))
        #expect(notes.updates.count == 3)
    }
}
