import Foundation
import Testing

@testable import GPX

/// Files as programs write them, each with what it comes to.
@Suite("GPX: cases")
struct CaseTests {
    struct Case: Decodable {
        struct Expectation: Decodable {
            struct Rejected: Decodable, Hashable {
                var points: Int
                var reason: String
            }

            var fileAccepted: Bool
            var trackPointsInFile: Int
            var replayablePoints: Int
            var segments: Int
            var lostPositionGaps: Int
            var durationSeconds: Double
            var rejected: [Rejected]
            var ignoredWaypoints: Int?
        }

        var expect: Expectation
    }

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Cases")
    static let names =
        (try? FileManager.default.contentsOfDirectory(atPath: folder.path))?
        .filter { $0.hasSuffix(".gpx") }.map { String($0.dropLast(4)) }.sorted() ?? []

    static func path(_ name: String) -> String { folder.appending(path: name + ".gpx").path }

    @Test("All cases are there")
    func complete() { #expect(Self.names.count == 9) }

    @Test("A file comes to what is said beside it", arguments: names)
    func survey(name: String) throws {
        let json = try Data(contentsOf: Self.folder.appending(path: name + ".json"))
        let expected = try JSONDecoder().decode(Case.self, from: json).expect
        let survey = TrackSurvey(path: Self.path(name))
        #expect(survey.isAccepted == expected.fileAccepted)
        #expect(survey.trackPoints == expected.trackPointsInFile)
        #expect(survey.replayable == expected.replayablePoints)
        #expect(survey.segments == expected.segments)
        #expect(survey.gaps == expected.lostPositionGaps)
        #expect(survey.duration == .seconds(expected.durationSeconds))
        #expect(
            survey.rejected.map { Case.Expectation.Rejected(points: $0.count, reason: $0.reason.rawValue) }
                == expected.rejected)
        #expect(survey.waypoints == expected.ignoredWaypoints ?? 0)
    }

    private func steps(_ name: String) throws -> [TrackStep] {
        let steps = try TrackSteps(path: Self.path(name))
        var result: [TrackStep] = []
        while let step = try steps.next() { result.append(step) }
        return result
    }

    @Test("Speed, course and elevation are the file's own")
    func fields() throws {
        #expect(try steps("05-gpx-1-0").map(\.point.course) == [350.5, 355.5, 359.5, 1.5])
        #expect(try steps("04-prefixed-namespace").map(\.point.speed) == [1.0, 1.1, 1.2, 1.3, 1.4])
        // Empty, NaN and absent are all unknown.
        #expect(try steps("14-look-alikes").map(\.point.elevation) == [nil, nil, nil, nil])
    }

    @Test("Times never go back, and the reversed segment follows its gap")
    func disorder() throws {
        let steps = try steps("07-time-disorder")
        #expect(zip(steps, steps.dropFirst()).allSatisfy { $0.time <= $1.time })
        #expect(steps.map(\.isAfterGap) == (0..<11).map { $0 == 7 })
    }

    @Test("A refusal shows what is wrong, and where")
    func refusals() throws {
        let comma = try #require(TrackSurvey(path: Self.path("09-decimal-comma")).refusal)
        #expect(comma.place == TextPlace(line: 6, column: 7))
        #expect(
            comma.description.hasSuffix(
                "09-decimal-comma.gpx:6:7: none of 4 track points can be replayed: lat/lon missing or not a decimal number (lat=\"57,05820\" lon=\"9,95040\")"
            ))
        let untimed = try #require(TrackSurvey(path: Self.path("01-no-time")).refusal)
        #expect(untimed.description.hasSuffix("01-no-time.gpx: no track point has a time, of 6"))
        let cut = try #require(TrackSurvey(path: Self.path("11-truncated")).cut)
        #expect(cut.place == TextPlace(line: 11, column: 64))
        #expect(cut.detail == "the file ends before its elements do")
    }

    @Test("With an interval, points without times are so far apart")
    func interval() {
        let survey = TrackSurvey(path: Self.path("01-no-time"), pointInterval: .seconds(2))
        #expect(survey.isAccepted && survey.replayable == 6 && survey.segments == 1 && survey.gaps == 0)
        #expect(survey.duration == .seconds(10))
    }

    @Test("A name comes back as it was meant")
    func name() throws {
        let document = try GPXDocument(path: Self.path("15-names-with-markup"))
        #expect(document.tracks.map(\.name) == ["R&D <b>AGV</b> \"7\" \u{7f} line\nbreak"])
    }
}
