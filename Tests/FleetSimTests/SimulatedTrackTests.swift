import GPX
import Geometry
import MotionModels
import Testing
import Timestamps

@testable import fleet_sim

@Suite("A track told at an interval")
struct SimulatedTrackTests {
    private struct Steps: TrackStepSource {
        var steps: [TrackStep]
        var index = 0

        mutating func next() -> TrackStep? {
            guard index < steps.count else { return nil }
            defer { index += 1 }
            return steps[index]
        }

        mutating func rewind() { index = 0 }
    }

    /// - Parameter points: Seconds, degrees north, and whether a gap is before.
    /// - Returns: What is told each ten seconds until the device leaves; `nil`: the position is lost.
    private func told(_ points: [(Double, Double, Bool)]) throws -> [Double?] {
        let steps = try points.map { seconds, latitude, isAfterGap in
            TrackStep(
                time: DeviceScript.noon.advanced(by: .seconds(seconds)),
                point: TrackPoint(position: try #require(Position(latitude: latitude, longitude: 9))),
                isAfterGap: isAfterGap)
        }
        var track = SimulatedTrack(
            identity: DeviceScript.device(), player: TrackPlayer(Steps(steps: steps)), tellsEachPoint: false)
        var told: [Double?] = []
        while track.pace != .over, told.count < 100 {
            told.append(track.advance(by: .seconds(10)).motion.position?.latitude)
        }
        return told
    }

    @Test("A gap shorter than the interval is told as a loss, and the last place after it")
    func shortGap() throws {
        #expect(try told([(0, 57, false), (5, 58, false), (8, 59, true), (20, 59, false)]) == [57, nil, 59])
        #expect(try told([(0, 57, false), (5, 58, false), (8, 59, true)]) == [57, nil, 59])
        #expect(try told([(0, 57, false), (5, 58, false), (40, 59, true)]) == [57, nil, nil, nil, 59])
        #expect(try told([(0, 57, false), (10, 58, false), (20, 59, false)]) == [57, 58, 59])
    }

    @Test("Where there is a gap in each interval, every other reading is a place")
    func manyGaps() throws {
        let points = (0..<11).map { (Double($0) * 5, 50 + Double($0), $0 > 0) }
        #expect(try told(points) == [50, nil, 54, nil, 58, nil, 60])
    }
}
