import FleetTestSupport
import Foundation
import JSON
import Testing

@Suite("fleet-sim gpx info", .timeLimit(.minutes(5)))
struct GPXInfoTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "GPXTests/Cases")

    private static func path(_ name: String) -> String { folder.appending(path: name).path }

    @Test(
        "--json prints exactly what each case expects, and the exit code tells whether it is refused",
        arguments: [
            "01-no-time", "02-mixed-time", "05-gpx-1-0", "07-time-disorder", "09-decimal-comma", "11-truncated",
        ])
    func json(name: String) throws {
        let process = try ProductProcess("fleet-sim", ["gpx", "info", "--json", Self.path(name + ".gpx")])
        let status = try process.wait()
        let file = try JSONParser().parse(Array(Data(contentsOf: URL(filePath: Self.path(name + ".json")))))
        let expected = try #require(file.object?["expect"]?.object)
        let object = try #require(try JSONParser().parse(Array(process.output.utf8)).object)
        for member in object.members { #expect(member.value == expected[member.key], "\(member.key)") }
        let words: Set = ["observable", "alsoAcceptable"]
        #expect(Set(object.members.map(\.key)) == Set(expected.members.map(\.key)).subtracting(words))
        #expect(status == (expected["fileAccepted"] == true ? 0 : 1))
    }

    @Test("The text tells what was rejected and where; errors name file, line and column")
    func text() throws {
        let path = Self.path("09-decimal-comma.gpx")
        let process = try ProductProcess("fleet-sim", ["gpx", "info", path])
        #expect(try process.wait() == 1)
        #expect(
            process.output.contains(
                "rejected             4: lat/lon missing or not a decimal number (first at 6:7, lat="))
        #expect(process.errors.contains("\(path):6:7: none of 4 track points"))
    }

    @Test("A file that is not there is an error, and an object as well")
    func missing() throws {
        let process = try ProductProcess("fleet-sim", ["gpx", "info", "--json", "/nonexistent.gpx"])
        #expect(try process.wait() == 1)
        #expect(process.errors.contains("/nonexistent.gpx: No such file or directory"))
        #expect(try JSONParser().parse(Array(process.output.utf8)).object?["fileAccepted"] == false)
    }
}
