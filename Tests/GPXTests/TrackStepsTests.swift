import Geometry
import Testing
import Timestamps

@testable import GPX

@Suite("GPX: reading tracks")
struct TrackStepsTests {
    private func survey(_ file: GPXFile) -> TrackSurvey { TrackSurvey(path: file.path) }

    private static let three = (0..<3).map { GPXFile.point($0) }

    @Test("A byte order mark, other line ends and other encodings change nothing")
    func encodings() throws {
        let text = GPXFile.text(
            body: "<trk>\n<name>Å</name>\n<trkseg>\n\(Self.three.joined(separator: "\n"))\n</trkseg></trk>")
        let latin = text.replacing("UTF-8", with: "windows-1252").unicodeScalars.map {
            UInt8(truncatingIfNeeded: $0.value)
        }
        let wide = text.replacing("UTF-8", with: "UTF-16").utf16.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] }
        let variants: [[UInt8]] = [
            Array(text.utf8), [0xef, 0xbb, 0xbf] + Array(text.utf8), Array(text.replacing("\n", with: "\r\n").utf8),
            latin,
            [0xff, 0xfe] + wide,
        ]
        for bytes in variants {
            let file = try GPXFile(bytes)
            let survey = survey(file)
            #expect(survey.isAccepted && survey.replayable == 3 && survey.cut == nil, "\(survey)")
            #expect(try GPXDocument(path: file.path).tracks.first?.name == "Å")
        }
    }

    @Test(
        "Each kind of bad coordinate is rejected by itself",
        arguments: [
            ("57.0", "9.95", nil), (" 57.0\n", "\t9.95 ", nil), ("+57.", ".95", nil), ("-90", "180", nil),
            ("90", "-180", nil),
            ("1E1", "9.5e-4", nil), ("57.058250212345678901234567890", "9", nil), ("0", "9.95", nil),
            ("57,0", "9.95", .noNumber), ("NaN", "9.95", .noNumber), ("57.0", "inf", .noNumber),
            ("0x39", "9", .noNumber),
            ("57.0N", "9", .noNumber), ("", "9", .noNumber), ("57 .0", "9", .noNumber), ("5.7.0", "9", .noNumber),
            ("１２", "9", .noNumber), ("1e999", "9", .noNumber), (".", "9", .noNumber), ("1e", "9", .noNumber),
            ("90.0001", "9", .outOfRange), ("57", "-180.5", .outOfRange), ("570582502", "99504788", .outOfRange),
            ("0", "0", .nullIsland), ("-0.0", "0.000", .nullIsland),
        ] as [(String, String, RejectedPoints.Reason?)])
    func coordinates(lat: String, lon: String, reason: RejectedPoints.Reason?) throws {
        let survey = survey(try GPXFile(segments: [[GPXFile.point(0, lat: lat, lon: lon)]]))
        #expect(survey.rejected.map(\.reason) == (reason.map { [$0] } ?? []))
        #expect(survey.replayable == (reason == nil ? 1 : 0))
    }

    @Test("An attribute that is missing, or of another namespace, is no coordinate")
    func attributes() throws {
        let time = "<time>2026-11-29T12:00:00Z</time>"
        let survey = survey(
            try GPXFile(segments: [
                [
                    "<trkpt lat=\"57\">\(time)</trkpt>", "<trkpt>\(time)</trkpt>",
                    "<trkpt xmlns:x=\"urn:x\" x:lat=\"57\" lon=\"9\">\(time)</trkpt>",
                ]
            ]))
        #expect(survey.rejected.map(\.count) == [3])
        #expect(survey.refusal?.detail.contains("no lon") == true)
    }

    @Test(
        "All spellings of a time are read; none of its zone is UTC",
        arguments: [
            ("2026-11-29T12:00:00Z", 0.0), ("2026-11-29T13:00:00+01:00", 0), ("2026-11-29T12:00:00", 0),
            (" 2026-11-29T12:00:00.250Z\n", 0.25), ("2026-11-29T07:00:00.5-0500", 0.5), ("20261129T120000Z", 0),
            ("2026-11-29T12:00:60Z", 60), ("<![CDATA[2026-11-29T12:00:01Z]]>", 1),
            ("2026-11-29T12:00<!-- c -->:02Z", 2),
        ])
    func times(text: String, seconds: Double) throws {
        let file = try GPXFile(segments: [["<trkpt lat=\"57\" lon=\"9\"><time>\(text)</time></trkpt>"]])
        let step = try TrackSteps(path: file.path).next()
        let noon = try #require(Timestamp(iso8601: "2026-11-29T12:00:00Z"))
        #expect(step?.time == noon.advanced(by: .seconds(seconds)))
    }

    @Test("Segments and tracks are gaps, and so is more than a minute; empty segments are none")
    func gaps() throws {
        let p = { (second: Int) in GPXFile.point(second) }
        let file = try GPXFile(
            body: """
                <trk><trkseg>\(p(0))\(p(60))\(p(121))</trkseg><trkseg></trkseg>
                <trkseg><trkpt lat="x" lon="y"/></trkseg><trkseg>\(p(122))</trkseg></trk>
                <wpt lat="1" lon="1"/><trk/><trk><trkseg>\(p(123))</trkseg></trk>
                """)
        let survey = survey(file)
        #expect(survey.segments == 3 && survey.gaps == 3 && survey.replayable == 5)
        #expect(survey.duration == .seconds(123) && survey.tracks == 3 && survey.waypoints == 1)
        let steps = try TrackSteps(path: file.path)
        var gaps: [Bool] = []
        while let step = try steps.next() { gaps.append(step.isAfterGap) }
        #expect(gaps == [false, false, true, true, true])
    }

    @Test("A segment in disorder is sorted as far as the index reaches, and refused with the count beyond")
    func index() throws {
        let order = [0, 3, 2, 1, 6, 5, 4, 9, 8, 7]
        let file = try GPXFile(segments: [order.map { GPXFile.point($0) }, order.map { GPXFile.point($0 + 10) }])
        for capacity in 3...20 {
            var options = TrackSteps.Options()
            options.indexCapacity = capacity
            let steps = try TrackSteps(path: file.path, options: options)
            var seconds: [Int64] = []
            while let step = try steps.next() { seconds.append(step.time.milliseconds / 1_000 % 60) }
            #expect(seconds == (0..<20).map { Int64($0) })
        }
        var options = TrackSteps.Options()
        options.indexCapacity = 2
        let survey = TrackSurvey(path: file.path, options: options)
        #expect(survey.refusal?.reason == .disorder)
        #expect(survey.rejected.map(\.reason) == [.disorder])
        #expect(survey.refusal?.detail.hasPrefix("\(survey.rejected[0].count) track points") == true)
        #expect(survey.replayable + survey.rejected[0].count == 20)
    }

    @Test("A duplicate is one in time and place, within its segment")
    func duplicates() throws {
        let twice = { (second: Int) in [GPXFile.point(second), GPXFile.point(second, lat: "58"), GPXFile.point(second)]
        }
        let survey = survey(try GPXFile(segments: [twice(0) + twice(0) + [GPXFile.point(1)], [GPXFile.point(1)]]))
        #expect(survey.rejected.map(\.count) == [4] && survey.rejected[0].reason == .duplicate)
        #expect(survey.replayable == 4 && survey.gaps == 1)
    }

    @Test("A file that is cut anywhere gives the points before the cut")
    func cut() throws {
        let text = GPXFile.text(body: "<trk><trkseg>" + (0..<5).map { GPXFile.point($0) }.joined() + "</trkseg></trk>")
        let bytes = Array(text.utf8)
        let starts = text.ranges(of: "<trkpt").map { text.utf8.distance(from: text.startIndex, to: $0.lowerBound) }
        let ends = text.ranges(of: "</trkpt>").map { text.utf8.distance(from: text.startIndex, to: $0.upperBound) }
        for length in 1..<bytes.count {
            let survey = survey(try GPXFile(Array(bytes[..<length])))
            let whole = ends.count { $0 <= length }
            #expect(survey.replayable == whole, "\(length)")
            #expect(survey.isAccepted == (whole > 0))
            // A tag counts from the end of its name on.
            let begun = starts.contains { $0 + 6 <= length } && starts.count { $0 + 6 <= length } > whole
            #expect(survey.rejected.map(\.reason) == (begun ? [.incomplete] : []), "\(length)")
            #expect(survey.trackPoints == whole + (begun ? 1 : 0), "\(length)")
            #expect(survey.cut != nil || survey.refusal != nil)
        }
    }

    @Test("What is no XML from some place on gives the points before it, and the place")
    func damage() throws {
        let file = try GPXFile(
            body:
                "<trk><trkseg>\(GPXFile.point(0))\n<trkpt lat=\"57\" lon=\"9\"><name>R&D</name></trkpt></trkseg></trk>")
        let survey = survey(file)
        #expect(survey.isAccepted && survey.replayable == 1 && survey.cut?.place?.line == 3)
        #expect(self.survey(try GPXFile("no XML")).refusal?.reason == .malformed)
        #expect(self.survey(try GPXFile("")).refusal?.reason == .empty)
        #expect(TrackSurvey(path: "/nonexistent.gpx").refusal?.reason == .unreadable)
        #expect(TrackSurvey(path: "/").refusal?.reason == .unreadable)
    }

    @Test(
        "A document type is refused before anything is expanded or fetched",
        arguments: [
            "<!DOCTYPE gpx [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\">]>",
            "<!DOCTYPE gpx [<!ENTITY secret SYSTEM \"file:///etc/passwd\">]>",
            "<!DOCTYPE gpx SYSTEM \"http://127.0.0.1:9/gpx.dtd\">",
            "<!DOCTYPE gpx>",
        ])
    func documentTypes(declaration: String) throws {
        let text = GPXFile.text(body: "<trk><name>&b;&secret;</name><trkseg>\(GPXFile.point(0))</trkseg></trk>")
        let survey = survey(try GPXFile(text.replacing("?>\n", with: "?>\n" + declaration)))
        #expect(survey.refusal?.reason == .documentType && survey.replayable == 0 && survey.trackPoints == 0)
        #expect(survey.refusal?.place == TextPlace(line: 2, column: 1))
    }

    @Test(
        "The root says what the file is",
        arguments: [
            "<gpx><trk/></gpx>", "<gpx xmlns=\"http://www.topografix.com/GPX/2/0\"/>",
            "<kml xmlns=\"http://www.opengis.net/kml/2.2\"/>",
            "<x:trk xmlns:x=\"http://www.topografix.com/GPX/1/1\"/>",
        ])
    func roots(text: String) throws {
        let refusal = survey(try GPXFile(text)).refusal
        #expect(refusal?.reason == .notGPX && refusal?.place == TextPlace(line: 1, column: 1))
    }

    @Test("Waypoints and routes alone are named for what they are")
    func noTrack() throws {
        let file = try GPXFile(
            body:
                "<wpt lat=\"1\" lon=\"2\"/><rte><name>R</name><rtept lat=\"1\" lon=\"2\"><name>a</name></rtept><rtept lat=\"2\" lon=\"2\"/></rte>"
        )
        let survey = survey(file)
        #expect(survey.refusal?.detail == "no track points (trkpt), only 1 waypoints (wpt) and 2 route points (rtept)")
        let document = try GPXDocument(path: file.path)
        #expect(document.routes.map(\.name) == ["R"] && document.routes[0].points.map(\.name) == ["a", nil])
        #expect(throws: GPXError.self) { try GPXDocument(path: file.path, limit: 3) }
    }

    @Test("Elements nested without end are refused, not followed")
    func depth() throws {
        let deep = String(repeating: "<x>", count: 100_000)
        #expect(survey(try GPXFile(body: "<extensions>\(deep)")).refusal != nil)
    }

    @Test("Extensions count by their names, whoever's they are; nonsense does not count")
    func extensions() throws {
        let inside = [
            "<extensions><x:speed xmlns:x=\"urn:x\">1.5</x:speed><y:heading xmlns:y=\"urn:y\">361</y:heading></extensions>",
            "<hdop>1.2</hdop><extensions><accuracy>4</accuracy><course>-90</course><speed>-1</speed></extensions>",
            "<hdop>1.2</hdop><extensions><d><speed>9</speed></d></extensions>",
        ]
        let file = try GPXFile(segments: [inside.enumerated().map { GPXFile.point($0.offset, inside: $0.element) }])
        let points = try GPXDocument(path: file.path).tracks[0].segments[0].points
        #expect(points.map(\.speed) == [1.5, nil, nil])
        #expect(points.map(\.course) == [nil, 270, nil])
        #expect(points.map(\.accuracy) == [nil, 4, 6])
    }
}
