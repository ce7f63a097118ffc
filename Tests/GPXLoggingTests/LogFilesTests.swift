import Foundation
import GPX
import Locations
import Testing
import Timestamps

@testable import GPXLogging

@Suite("The files of a GPX log")
struct LogFilesTests {
    private let folder = Folder()

    private func files(maximumFileSize: Int = 1 << 20) -> LogFiles {
        LogFiles(directory: folder.path, creator: "test", maximumFileSize: maximumFileSize)
    }

    @Test("There is one for each source, location and day of UTC")
    func names() throws {
        let files = files()
        try files.append(logged(0))
        try files.append(logged(12 * 3_600 - 0.001))
        try files.append(logged(12 * 3_600))
        try files.append(logged(0, location: "a/b"))
        try files.append(logged(0, source: "people", location: ".."))
        #expect(
            folder.files == [
                "people/%2E./2026-11-29.gpx", "vacuums/a%2Fb/2026-11-29.gpx", "vacuums/v1/2026-11-29.gpx",
                "vacuums/v1/2026-11-30.gpx",
            ])
        #expect(try folder.steps("vacuums/v1/2026-11-29.gpx").count == 2)
    }

    @Test("Ids that are too long for a file's name get one that differs where they do")
    func longIDs() throws {
        let files = files()
        let long = String(repeating: "ø", count: 400)
        try files.append(logged(0, location: Identifier(long + "1")))
        try files.append(logged(0, location: Identifier(long + "2")))
        #expect(folder.files.count == 2)
    }

    @Test("A day goes on in another file where one gets too large, also after a restart")
    func size() throws {
        var files = files(maximumFileSize: 1_000)
        for second in 0..<20 { try files.append(logged(Double(second))) }
        let before = folder.files
        #expect(before.count > 1 && before.contains("vacuums/v1/2026-11-29-2.gpx"))
        files = self.files(maximumFileSize: 1_000)
        for second in 20..<40 { try files.append(logged(Double(second))) }
        #expect(folder.files.count > before.count)
        #expect(try folder.files.reduce(0) { try $0 + folder.steps($1).count } == 40)
    }

    @Test("A file of somebody else's that has the name is left alone")
    func strangers() throws {
        let path = "\(folder.path)/vacuums/v1"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try Data("my notes".utf8).write(to: URL(filePath: "\(path)/2026-11-29.gpx"))
        try files().append(logged(0))
        #expect(try String(contentsOfFile: "\(path)/2026-11-29.gpx", encoding: .utf8) == "my notes")
        #expect(try folder.steps("vacuums/v1/2026-11-29-2.gpx").count == 1)
    }

    @Test("A file that is deleted while it is in use is begun again")
    func deleted() throws {
        let files = files()
        try files.append(logged(0))
        try FileManager.default.removeItem(atPath: folder.path)
        try files.append(logged(1))
        #expect(try folder.steps("vacuums/v1/2026-11-29.gpx").count == 1)
    }

    @Test("More locations than files can be open lose nothing")
    func many() throws {
        let files = files()
        for second in 0..<3 {
            for number in 0..<150 { try files.append(logged(Double(second), location: Identifier("v\(number)"))) }
        }
        #expect(folder.files.count == 150)
        #expect(try folder.files.allSatisfy { try folder.steps($0).count == 3 })
    }

    @Test("What a power cut has left without its end is mended, whatever day it is of", arguments: [1, 40, 120, 400])
    func repair(bytes: Int) throws {
        try files().append(logged(0))
        for second in 1..<9 { try files().append(logged(Double(second))) }
        let file = URL(filePath: "\(folder.path)/vacuums/v1/2026-11-29.gpx")
        let content = try Data(contentsOf: file)
        try content.dropLast(bytes).write(to: file)
        #expect(files().repair() == ["vacuums/v1/2026-11-29.gpx"])
        #expect(files().repair() == [])
        let left = try folder.steps("vacuums/v1/2026-11-29.gpx")
        #expect(left.count <= 9 && left.map(\.time) == left.map(\.time).sorted())
    }

    @Test("What was the last point before a restart and is heard again after it is no second one")
    func restart() throws {
        try files().append(logged(0, gap: true))
        try files().append(logged(0, gap: true))
        try files().append(logged(1, gap: true))
        #expect(try folder.steps("vacuums/v1/2026-11-29.gpx").map(\.isAfterGap) == [false, true])
    }

    // MARK: Limits

    private func entry(_ day: String, bytes: Int = 100) throws -> LogFiles.Entry {
        LogFiles.Entry(name: try #require(LogName(folder: "s/l", file: "\(day).gpx")), bytes: bytes)
    }

    @Test("Days that are older than the limit go, and today stays whatever its size")
    func limits() throws {
        let entries = try ["2026-10-29", "2026-10-30", "2026-11-28", "2026-11-28-2", "2026-11-29"].map { try entry($0) }
        func surplus(_ limits: LogLimits) -> [String] { limits.surplus(entries, at: noon).map(\.file) }
        #expect(surplus(LogLimits()) == [])
        #expect(surplus(LogLimits(age: .seconds(30 * 86_400))) == ["2026-10-29.gpx"])
        #expect(surplus(LogLimits(totalSize: 500)) == [])
        #expect(surplus(LogLimits(totalSize: 299)) == ["2026-10-29.gpx", "2026-10-30.gpx", "2026-11-28-2.gpx"])
        #expect(surplus(LogLimits(totalSize: 1)).count == 4)
    }

    @Test(
        "Only files that are named as logs are",
        arguments: [
            "2026-11-29.gpx.bak", "notes.gpx", "2026-1-29.gpx", "2026-11-29-1.gpx", "2026-11-29-02.gpx",
            "2026-11-29.GPX",
        ])
    func notLogs(file: String) { #expect(LogName(folder: "s/l", file: file) == nil) }

    @Test("Deleting takes empty folders along")
    func deletion() throws {
        let files = files()
        try files.append(logged(0))
        for entry in files.entries { try files.delete(entry.name) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    }
}
