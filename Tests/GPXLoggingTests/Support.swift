import Foundation
import GPX
import Geometry
import Locations
import Timestamps

@testable import GPXLogging

/// A folder that is gone when the test is.
final class Folder {
    let path = FileManager.default.temporaryDirectory.appending(path: "gpx-log-\(UUID().uuidString)").path

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var files: [String] {
        (FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []).filter {
            $0.hasSuffix(".gpx")
        }.sorted()
    }

    /// The points of a file as they replay.
    func steps(_ file: String) throws -> [TrackStep] {
        let steps = try TrackSteps(path: "\(path)/\(file)")
        var all: [TrackStep] = []
        while let step = try steps.next() { all.append(step) }
        return all
    }
}

let noon = Timestamp(iso8601: "2026-11-29T12:00:00Z")!

func logged(
    _ seconds: Double, lat: Double = 57, source: Identifier = "vacuums", location: Identifier = "v1",
    name: String = "Vacuum 1", gap: Bool = false
) -> LoggedPoint {
    LoggedPoint(
        source: source, location: location, name: name,
        point: TrackPoint(
            position: Position(latitude: lat, longitude: 9)!, time: noon.advanced(by: .seconds(seconds))),
        isAfterGap: gap)
}
