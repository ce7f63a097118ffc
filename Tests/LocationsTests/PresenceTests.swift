import Geometry
import Testing

@testable import Locations

/// Two rooms on either side of a line, and a zone over a part of them; distances in metres along one axis.
private final class Corridor: AreaFinder {
    let left = Area(.room, id: "left", building: "B")
    let right = Area(.room, id: "right", building: "B")
    let zone = Area(.zone, id: "zone")
    let hasRight: Bool
    static let perDegree = 111_319.49

    init(hasRight: Bool = true) { self.hasRight = hasRight }

    static func place(_ metres: Double, floor: Int? = 0) -> Place? {
        Position(latitude: 0, longitude: metres / perDegree).map { Place(position: $0, building: "B", floor: floor) }
    }

    private func metres(_ place: Place) -> Double { place.position.longitude * Self.perDegree }

    /// Left of 0, right of 0 up to 100; nothing beyond.
    func room(at place: Place) -> Area? {
        guard place.floor == 0 else { return nil }
        let x = metres(place)
        return x <= 0 ? left : x <= 100 && hasRight ? right : nil
    }

    func zones(at place: Place) -> [Area] { abs(metres(place)) <= 50 ? [zone] : [] }

    func distance(from place: Place, to area: Area) -> Double? {
        guard place.floor == 0 else { return nil }
        let x = metres(place)
        switch area.id {
        case "left": return x
        case "right": return hasRight ? max(-x, x - 100) : nil
        default: return abs(x) - 50
        }
    }

    func room(_ id: Identifier, building: String?) -> Area? { [left, right].first { $0.id == id } }
    func finds(theSameAs other: any AreaFinder) -> Bool { self === other }
}

struct PresenceTests {
    private let corridor = Corridor()
    private let presence = Presence()

    private func settings(_ finder: Corridor? = nil) -> AreaSettings { AreaSettings(finder: finder ?? corridor) }

    /// - Returns: What is told, as `+left` and `-zone`.
    private func follow(
        _ metres: Double?, _ seconds: Double, accuracy: Double? = nil, floor: Int? = 0, _ finder: Corridor? = nil
    ) -> [String] {
        let place = metres.flatMap { Corridor.place($0, floor: floor) }
        return presence.follow(
            place, accuracy: accuracy, fixedAt: place == nil ? nil : .seconds(seconds), settings(finder),
            at: .seconds(seconds)
        ).map { ($0.isEntry ? "+" : "-") + $0.area.id.text }
    }

    @Test("The first place tells the room at once, and the entry when the dwell time is over")
    func first() {
        #expect(follow(-60, 0) == [])
        #expect(presence.room?.id == "left")
        #expect(presence.nextDeadline(settings()) == .seconds(2))
        #expect(follow(nil, 1.999) == [])
        #expect(follow(nil, 2) == ["+left"])
        #expect(presence.nextDeadline(settings()) == nil)
        #expect(follow(nil, 100) == [])
    }

    @Test(
        "Beyond the margin the other room counts at once; leaving and entering are told together, after the dwell time")
    func beyond() {
        _ = follow(-60, 0)
        _ = follow(-60, 2)
        #expect(follow(0.6, 10) == [])
        #expect(presence.room?.id == "right")
        #expect(follow(0.6, 11.9) == [])
        #expect(follow(nil, 12) == ["-left", "+right", "+zone"])
    }

    @Test("Within the margin, or what the accuracy explains, the room stays for the dwell time", arguments: [nil, 8.0])
    func within(accuracy: Double?) {
        for second in stride(from: 0.0, through: 9, by: 1) { _ = follow(-60, second) }
        let metres = accuracy.map { $0 - 1 } ?? 0.4
        #expect(follow(metres, 10, accuracy: accuracy) == [])
        #expect(presence.room?.id == "left")
        #expect(presence.nextDeadline(settings()) == .seconds(12))
        #expect(follow(metres, 11, accuracy: accuracy) == [])
        #expect(presence.room?.id == "left")
        #expect(follow(nil, 12) == ["-left", "+zone", "+right"])
        #expect(presence.room?.id == "right")
    }

    @Test("A walk along the border tells nothing, and near to it changes nothing", arguments: [0.4, 3])
    func walk(amplitude: Double) {
        _ = follow(-20, 0)
        #expect(follow(nil, 2) == ["+left", "+zone"])
        for step in 0..<200 {
            #expect(follow(step % 2 == 0 ? amplitude : -amplitude, 10 + Double(step)) == [])
            if amplitude < 0.5 { #expect(presence.room?.id == "left") }
        }
    }

    @Test("A visit shorter than the dwell time is told to nobody, neither is an absence")
    func short() {
        _ = follow(-60, 0)
        #expect(follow(-60, 2) == ["+left"])
        #expect(follow(-40, 10) == [])
        #expect(follow(-60, 11.9) == [])
        #expect(follow(nil, 20) == [])
        #expect(follow(-40, 30) == [])
        #expect(follow(nil, 32) == ["+zone"])
        #expect(follow(-60, 40) == [])
        #expect(follow(-40, 41) == [])
        #expect(follow(nil, 60) == [])
    }

    @Test("On another floor the room is left, however near; without a position nothing changes")
    func floors() {
        _ = follow(-60, 0)
        _ = follow(nil, 2)
        #expect(follow(nil, 50) == [])
        #expect(presence.room?.id == "left")
        #expect(follow(-60, 60, accuracy: 1_000, floor: 10) == [])
        #expect(presence.room == nil)
        #expect(follow(nil, 62) == ["-left"])
    }

    @Test("Out of all rooms counts beyond the margin at once, and after the dwell time nearer")
    func nowhere() {
        _ = follow(60, 0)
        #expect(follow(nil, 2) == ["+right"])
        _ = follow(60, 9)
        _ = follow(100.3, 10)
        #expect(presence.room?.id == "right")
        #expect(follow(nil, 12) == ["-right"])
        #expect(presence.room == nil)
        _ = follow(99.9, 11)
        #expect(presence.room == nil)
        #expect(follow(nil, 13) == ["+right"])
    }

    @Test(
        "Who reports seldom and is near to a border each time neither enters nor leaves, zones and rooms alike",
        arguments: [(0.4, nil), (7.0, 8.0)] as [(Double, Double?)])
    func seldom(amplitude: Double, accuracy: Double?) {
        func hop(_ border: Double, _ step: Int) -> [String] {
            follow(border + (step % 2 == 0 ? amplitude : -amplitude), 100 + Double(step) * 30, accuracy: accuracy)
        }
        _ = follow(60, 40)
        #expect(follow(60, 70) == ["+right"])
        for step in 0..<200 { #expect(hop(50, step) == [], "zone") }
        #expect(follow(20, 6_100) == ["+zone"])
        for step in 201..<400 { #expect(hop(50, step) == [], "zone, from inside") }
        #expect(follow(20, 12_100) == [])
        for step in 401..<600 {
            #expect(hop(0, step) == [], "room")
            #expect(presence.room?.id == "right")
        }
    }

    @Test("Who reports seldom and stays near to a border on its other side has crossed it after twice his interval")
    func seldomStays() {
        for second in [0.0, 30] { _ = follow(60, second) }
        #expect(follow(49.8, 60) == [])
        #expect(presence.nextDeadline(settings()) == .seconds(120))
        #expect(follow(nil, 119.9) == [])
        #expect(follow(nil, 120) == ["+zone"])
        #expect(follow(50.2, 150) == [])
        #expect(follow(50.2, 180) == [])
        #expect(follow(50.2, 209) == ["-zone"], "an interval of 29 s")
        #expect(follow(48, 240) == [])
        #expect(follow(nil, 242) == ["+zone"], "far inside")
    }

    @Test("Another plan counts from the next look on; a room that is not on it is left")
    func otherPlan() {
        _ = follow(60, 0)
        #expect(follow(nil, 2) == ["+right"])
        let other = Corridor(hasRight: false)
        #expect(follow(60, 10, other) == [])
        #expect(presence.room == nil)
        #expect(follow(nil, 12, other) == ["-right"])
    }

    @Test("What was published before a restart is known, and not told again")
    func restart() {
        presence.restore(Area(.room, id: "left", building: "B"), at: Corridor.place(0.3), settings(), at: .seconds(0))
        #expect(presence.room?.id == "left")
        #expect(follow(-10, 1) == [])
        #expect(follow(-10, 10) == [])
        #expect(follow(-60, 20) == [])
        #expect(follow(nil, 22) == ["-zone"])
    }

    @Test("Without a dwell time everything is told at once")
    func noDwell() {
        var settings = settings()
        settings.dwell = .zero
        let changes = presence.follow(Corridor.place(-10), accuracy: nil, fixedAt: .zero, settings, at: .zero)
        #expect(changes.map(\.area.id) == ["left", "zone"] && changes.allSatisfy(\.isEntry))
        #expect(
            presence.follow(
                Corridor.place(0.1), accuracy: 10, fixedAt: .seconds(1), settings, at: .seconds(1)
            ).map(\.area.id) == [
                "left", "right",
            ])
        #expect(presence.nextDeadline(settings) == nil)
    }
}
