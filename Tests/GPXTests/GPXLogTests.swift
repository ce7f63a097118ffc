import Foundation
import Geometry
import Testing
import Timestamps

@testable import GPX

@Suite("GPX: logs")
struct GPXLogTests {
    private static let noon = Timestamp(milliseconds: 1_796_040_000_000)

    private func point(_ second: Double) throws -> TrackPoint {
        TrackPoint(
            position: try #require(Position(latitude: 57 + second / 1e5, longitude: 9.95)),
            time: Self.noon.advanced(by: .seconds(second)))
    }

    private func log(_ storage: MemoryStorage, name: String = "Vacuum 3") throws -> GPXLog {
        try GPXLog(storage, file: "log.gpx", creator: "Fleet Bridge", name: name)
    }

    /// What a reader finds; the file has to be well-formed.
    private func document(_ bytes: [UInt8]) throws -> GPXDocument {
        let file = try GPXFile(bytes)
        let document = try withExtendedLifetime(file) { try GPXDocument(path: file.path) }
        #expect(document.cut == nil && document.rejectedPoints == 0)
        return document
    }

    private func seconds(_ bytes: [UInt8]) throws -> [[Int]] {
        try document(bytes).tracks.flatMap(\.segments).map { segment in
            segment.points.compactMap { $0.time.map { Int($0.duration(since: Self.noon) / .seconds(1)) } }
        }
    }

    @Test("What is written reads back the same, to the last digit")
    func roundTrip() throws {
        let place = { (latitude: Double, longitude: Double) in
            try #require(Position(latitude: latitude, longitude: longitude))
        }
        let points = try [
            TrackPoint(
                position: place(57.058250212345678, 9.9504788), time: Self.noon, elevation: -0.1, course: 0, speed: 0,
                accuracy: 0),
            TrackPoint(
                position: place(-1e-7, 1.5e-12), time: Self.noon.advanced(by: .milliseconds(250)), elevation: 8_848.86),
            TrackPoint(
                position: place(90, -180), time: Self.noon.advanced(by: .microseconds(250_001)),
                course: 359.99999999999994),
            TrackPoint(
                position: place(-90, 180), time: Self.noon.advanced(by: .seconds(86_399)), speed: 1e21,
                accuracy: 0.1 + 0.2),
            TrackPoint(position: place(0, .pi), time: Self.noon.advanced(by: .seconds(90_000))),
        ]
        let storage = MemoryStorage()
        let log = try log(storage)
        for (index, point) in points.enumerated() {
            try log.append(point, gap: index == 3)
            #expect(storage.writes.last.map { $0.offset + $0.bytes.count } == storage.size && log.size == storage.size)
        }
        let document = try document(storage.bytes)
        #expect(
            document.tracks == [
                Track(
                    name: "Vacuum 3",
                    segments: [TrackSegment(points: Array(points[..<3])), TrackSegment(points: Array(points[3...]))])
            ])
        let file = try GPXFile(storage.bytes)
        let steps = try TrackSteps(path: file.path)
        var replayed: [TrackPoint] = []
        while let step = try steps.next() { replayed.append(step.point) }
        #expect(replayed == points)
    }

    @Test(
        "Names come back as they were, but for what XML cannot say",
        arguments: [
            ("R&D <b>\"7\"</b> 'x' ]]> \u{7f} line\nbreak\r\ttab", nil),
            ("a\u{0}b\u{1b}[31m\u{fffe}", "ab[31m"),
            ("Størmer 🤖 \u{85}\u{2028}x", nil), ("", ""),
        ] as [(String, String?)])
    func names(name: String, expected: String?) throws {
        let storage = MemoryStorage()
        try log(storage, name: name).append(try point(0))
        let found = try document(storage.bytes).tracks[0].name
        #expect(Array((found ?? "").unicodeScalars) == Array((expected ?? name).unicodeScalars))
    }

    @Test("The file is well-formed after every write, and each is one")
    func wellFormed() throws {
        let storage = MemoryStorage()
        let log = try log(storage)
        #expect(log.opening == .created)
        #expect(try seconds(storage.bytes).isEmpty)
        for second in 0..<50 {
            let before = storage.writes.count
            try log.append(try point(Double(second)), gap: second % 10 == 0)
            #expect(storage.writes.count == before + 1)
            #expect(try seconds(storage.bytes).flatMap(\.self) == Array(0...second))
        }
        #expect(try seconds(storage.bytes).count == 5)
    }

    @Test("A file cut anywhere is repaired: whole points stay, and the log goes on")
    func cut() throws {
        let storage = MemoryStorage()
        let log = try log(storage)
        for second in 0..<4 { try log.append(try point(Double(second)), gap: second == 2) }
        let whole = storage.bytes
        let ends = storage.text.ranges(of: "</trkpt>\n").map {
            storage.text.utf8.distance(from: storage.text.startIndex, to: $0.upperBound)
        }
        for length in 0...whole.count {
            // After a power cut the rest is missing, or nothing but zeros.
            for rest in length % 7 == 0 ? [0, 5_000] : [0] {
                let broken = MemoryStorage(Array(whole.prefix(length)) + [UInt8](repeating: 0, count: rest))
                let again = try self.log(broken)
                let kept = ends.count { $0 <= length }
                #expect((again.opening == .whole) == (length == whole.count && rest == 0))
                try again.append(try point(9), gap: true)
                let found = try seconds(broken.bytes)
                #expect(found.last == [9] && found.flatMap(\.self) == Array(0..<kept) + [9], "\(length)")
            }
        }
    }

    @Test("A long damage does not hide the points before it")
    func longDamage() throws {
        let storage = MemoryStorage()
        let log = try log(storage)
        for second in 0..<2_000 { try log.append(try point(Double(second))) }
        let size = storage.size
        storage.bytes += [UInt8](repeating: 0, count: 200_000)
        let again = try self.log(storage)
        #expect(storage.size == size && again.latest == Self.noon.advanced(by: .seconds(1_999)))
        #expect(try seconds(storage.bytes) == [Array(0..<2_000)])
    }

    @Test("A write that stops anywhere costs no point that was there")
    func interruptedWrite() throws {
        let storage = MemoryStorage()
        let log = try log(storage)
        for second in 0..<4 { try log.append(try point(Double(second))) }
        let before = storage.bytes
        try log.append(try point(4), gap: true)
        let write = try #require(storage.writes.last)
        for count in 0...write.bytes.count {
            var bytes = before
            MemoryStorage.apply(Array(write.bytes.prefix(count)), at: write.offset, to: &bytes)
            let broken = MemoryStorage(bytes)
            _ = try self.log(broken)
            let found = try seconds(broken.bytes).flatMap(\.self)
            #expect(found == [0, 1, 2, 3] || found == [0, 1, 2, 3, 4])
        }
    }

    @Test("A full disk is an error; the file stays whole, and the log goes on when there is room")
    func fullDisk() throws {
        for room in 0..<90 {
            let storage = MemoryStorage()
            let log = try log(storage)
            try log.append(try point(0))
            storage.room = room
            #expect(throws: GPXError.self) { try log.append(try point(1)) }
            storage.room = nil
            try log.append(try point(2), gap: true)
            #expect(try seconds(storage.bytes) == [[0], [2]])
            #expect(log.size == storage.size)
        }
    }

    @Test("A late point goes to its place, an older one to a segment of its own")
    func late() throws {
        let storage = MemoryStorage()
        let log = try log(storage)
        for second in [10.0, 20, 40, 50, 30, 60, 55] { try log.append(try point(second)) }
        #expect(try seconds(storage.bytes) == [[10, 20, 30, 40, 50, 55, 60]])
        for second in [1.0, 2, 70, 80, 75] { try log.append(try point(second)) }
        #expect(try seconds(storage.bytes) == [[10, 20, 30, 40, 50, 55, 60], [1, 2], [70, 75, 80]])
        // Also after opening it again, in the midst of late ones.
        try log.append(try point(3))
        let again = try self.log(storage)
        #expect(again.opening == .whole)
        try again.append(try point(4))
        try again.append(try point(90))
        #expect(try seconds(storage.bytes).suffix(2) == [[3, 4], [90]])
    }

    @Test("However points arrive, each is in the file, and segments are in order")
    func shuffled() throws {
        var numbers = Array(0..<500)
        // A fixed disorder: some far, most near.
        for index in stride(from: 0, to: 490, by: 3) { numbers.swapAt(index, index + 1 + index * 7 % 9) }
        numbers.swapAt(5, 480)
        let storage = MemoryStorage()
        let log = try log(storage)
        for number in numbers { try log.append(try point(Double(number))) }
        let segments = try seconds(storage.bytes)
        #expect(segments.flatMap(\.self).sorted() == Array(0..<500))
        #expect(segments.allSatisfy { $0 == $0.sorted() })
        #expect(storage.writes.allSatisfy { $0.bytes.count < 5_000 })
    }

    @Test(
        "What is no log is not touched", arguments: ["hello", GPXFile.text(body: "<trk/>"), "<?xml version=\"1.0\"?>"])
    func foreign(text: String) throws {
        let storage = MemoryStorage(Array(text.utf8))
        #expect(throws: GPXError.self) { try log(storage) }
        #expect(storage.text == text && storage.writes.isEmpty)
    }

    @Test("A file has one writer, goes on where it ended, and is whole whenever it is looked at")
    func file() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "log-\(UUID().uuidString).gpx").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        for start in [0, 10] {
            let log = try GPXLog(try GPXFileStorage(path: path), file: path, creator: "test", name: "A")
            #expect(log.opening == (start == 0 ? .created : .whole))
            #expect(throws: GPXError.self) { try GPXFileStorage(path: path) }
            for second in start..<start + 10 {
                try log.append(try point(Double(second)), gap: second == start)
                #expect(try seconds(Array(Data(contentsOf: URL(filePath: path)))).flatMap(\.self) == Array(0...second))
            }
            try log.synchronize()
        }
        #expect(TrackSurvey(path: path).gaps == 1)
        #expect(throws: GPXError.self) { try GPXFileStorage(path: "/nonexistent/a.gpx") }
    }
}
