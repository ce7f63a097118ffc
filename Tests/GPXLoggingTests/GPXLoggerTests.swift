import Foundation
import Testing
import Timestamps

@testable import GPXLogging

@Suite("The GPX log's thread")
struct GPXLoggerTests {
    private let folder = Folder()

    private func logger() -> GPXLogger {
        GPXLogger(directory: folder.path, limits: LogLimits(age: .seconds(86_400)), creator: "test") { noon }
    }

    @Test("What was taken is in the files when it has finished, and old days are gone")
    func finish() throws {
        try LogFiles(directory: folder.path, creator: "test", maximumFileSize: 1 << 20).append(logged(-3 * 86_400))
        let logger = logger()
        for second in 0..<500 { logger.log(logged(Double(second))) }
        #expect(logger.finish(within: 30) == 0)
        #expect(logger.count == 500)
        #expect(try folder.steps("vacuums/v1/2026-11-29.gpx").count == 500)
        #expect(folder.files.count == 1)
        #expect(logger.takeNotices() == [.deleted(files: 1)])
    }

    @Test(
        "What cannot be written is said, and is not forgotten: it waits until it can be",
        arguments: [true, false])
    func failing(isEarly: Bool) throws {
        // A file where the folder is to be: nothing can be written, whoever runs the test.
        try Data().write(to: URL(filePath: folder.path))
        let logger = logger()
        var notices: [GPXLogger.Notice] = []
        func wait(for isThere: ([GPXLogger.Notice]) -> Bool) {
            let end = Date(timeIntervalSinceNow: 30)
            while !isThere(notices), Date() < end {
                notices += logger.takeNotices()
                usleep(10_000)
            }
        }
        wait { $0.contains { if case .failing = $0 { true } else { false } } }
        let failure = GPXLogger.Notice.failing("\(folder.path): the folder cannot be made: File exists")
        #expect(notices == [failure])
        if isEarly { logger.log(logged(0)) }
        try FileManager.default.removeItem(atPath: folder.path)
        if !isEarly { logger.log(logged(0)) }
        wait { $0.contains(.recovered) }
        #expect(notices == [failure, .recovered], "each once")
        #expect(logger.finish(within: 30) == 0)
        #expect(try folder.steps("vacuums/v1/2026-11-29.gpx").count == 1)
    }
}
