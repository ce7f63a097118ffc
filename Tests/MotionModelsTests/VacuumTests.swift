import Geometry
import MotionModels
import Randomness
import Testing

private typealias RandomVacuum = Vacuum<RandomMotion>

private func vacuum(charge: Double = 100, drain: Double = 0.1, gain: Double = 0.5) throws -> RandomVacuum {
    let base = try #require(Position(latitude: 57.0582502, longitude: 9.9504788))
    return Vacuum(
        cleaning: RandomMotion(.init(base: base), random: SeededRandom(seed: 3)),
        battery: Battery(charge: charge, drain: drain, gain: gain))
}

@Suite("Robot vacuums")
struct VacuumTests {
    @Test("Charge, state and motion tell one story over a day")
    func story() throws {
        var vacuum = try vacuum(charge: 60)
        var last = vacuum
        var followed: [RandomVacuum.Activity: Set<RandomVacuum.Activity>] = [:]
        for _ in 0..<172_800 {
            vacuum.advance(by: .milliseconds(500))
            let (before, now) = try (#require(last.motion.position), #require(vacuum.motion.position))
            #expect((0...100).contains(vacuum.charge))
            #expect(before.distance(to: now) <= 0.501)
            if vacuum.activity == last.activity {
                switch vacuum.activity {
                case .cleaning, .returning, .moving: #expect(vacuum.charge < last.charge)
                case .charging:
                    #expect(vacuum.charge > last.charge)
                    #expect(before == now && vacuum.motion.speed == 0)
                case .docked: #expect(vacuum.charge == 100 && before == now)
                }
            } else {
                followed[last.activity, default: []].insert(vacuum.activity)
            }
            if vacuum.activity == .returning {
                #expect(vacuum.charge < 20.000001)
                if last.activity == .returning { #expect(abs(vacuum.motion.speed - 0.4) < 0.001) }
            }
            last = vacuum
        }
        #expect(
            followed == [
                .cleaning: [.returning], .returning: [.charging], .charging: [.docked], .docked: [.moving],
                .moving: [.cleaning],
            ])
    }

    @Test("It goes on where it stopped cleaning")
    func resumes() throws {
        var vacuum = try vacuum(charge: 21)
        var stopped: Position?
        while vacuum.activity == .cleaning {
            vacuum.advance(by: .milliseconds(100))
            stopped = vacuum.motion.position
        }
        while vacuum.activity != .moving { vacuum.advance(by: .milliseconds(100)) }
        while vacuum.activity == .moving { vacuum.advance(by: .milliseconds(100)) }
        #expect(try #require(vacuum.motion.position).distance(to: #require(stopped)) < 0.2)
    }

    @Test("Sent home it charges and stays there; let go, it goes on where it stopped", arguments: [50, 21] as [Double])
    func home(charge: Double) throws {
        var vacuum = try vacuum(charge: charge)
        vacuum.advance(by: .seconds(5))
        let stopped = try #require(vacuum.motion.position)
        vacuum.advance(by: .zero)
        let hasDock = vacuum.goHome()
        #expect(hasDock)
        #expect(vacuum.activity == .returning)
        vacuum.advance(by: .seconds(3_600))
        #expect(vacuum.activity == .docked && vacuum.charge == 100)
        vacuum.resume()
        #expect(vacuum.activity == .moving)
        while vacuum.activity == .moving { vacuum.advance(by: .milliseconds(100)) }
        #expect(vacuum.activity == .cleaning)
        #expect(try #require(vacuum.motion.position).distance(to: stopped) < 0.2)
        vacuum.resume()
        #expect(vacuum.activity == .cleaning)
    }

    @Test("An hour at once ends as an hour in pieces")
    func pieces() throws {
        var (whole, cut) = try (vacuum(), vacuum())
        whole.advance(by: .seconds(3_600))
        for _ in 0..<36_000 { cut.advance(by: .milliseconds(100)) }
        #expect(whole.activity == cut.activity)
        #expect(abs(whole.charge - cut.charge) < 1e-6)
        #expect(try #require(whole.motion.position).distance(to: #require(cut.motion.position)) < 1e-3)
    }

    @Test(
        "Rates and charges out of the ordinary end neither in a trap nor in a loop",
        arguments: [
            (0, 0.2, 1), (-5, 0.2, 1), (250, 0.2, 1), (50, 0, 1), (50, 0.2, 0), (50, 0, 0), (50, 1e9, 1e9),
            (50, 1e-300, 1),
            (20, 0.2, 1), (20.000000000000004, 0.2, 1), (50, -1, -1),
        ] as [(Double, Double, Double)])
    func extremes(charge: Double, drain: Double, gain: Double) throws {
        var vacuum = try vacuum(charge: charge, drain: drain, gain: gain)
        for _ in 0..<100 { vacuum.advance(by: .seconds(10)) }
        #expect((0...100).contains(vacuum.charge))
        #expect(vacuum.motion.position != nil)
    }
}
