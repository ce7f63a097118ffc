import GPX
import Geometry
import Locations
import Testing
import Timestamps

@testable import GPXLogging

@Suite("The points of a location's way")
struct TrackRecorderTests {
    private final class Points {
        var all: [LoggedPoint] = []
    }

    private let start = Instant(wall: noon, monotonic: .zero)
    private let source: TelemetrySource
    private let points = Points()

    init() {
        var settings = SourceSettings()
        settings.maxSpeed = 3
        source = TelemetrySource(id: "vacuums", settings: settings, at: start)
        source.observers = [TrackRecorder { [points] in points.all.append($0) }]
    }

    private func apply(
        at seconds: Double, lat: Double? = 57, said: Double? = nil, retained: Bool = false,
        _ adjust: (inout Report) -> Void = { _ in }
    ) {
        var report = Report(id: "v1")
        if let lat { report.position = .value(.geographic(Position(latitude: lat, longitude: 9)!)) }
        report.time = said.map { noon.advanced(by: .seconds($0)) }
        adjust(&report)
        let now = start.advanced(by: .seconds(seconds))
        source.advance(to: now)
        _ = source.apply(report, retained: retained, at: now)
    }

    @Test("Each fix is one, with what was said of it")
    func fixes() {
        apply(at: 0) {
            $0.name = .value("Vacuum 1")
            $0.heading = .value(90)
            $0.speed = .value(0.3)
            $0.accuracy = .value(0.4)
            $0.altitude = .value(7)
        }
        apply(at: 1, lat: nil) { $0.charge = .value(50) }
        apply(at: 2, lat: 57.00001)
        #expect(points.all.count == 2)
        #expect(
            points.all.first
                == LoggedPoint(
                    source: "vacuums", location: "v1", name: "Vacuum 1",
                    point: TrackPoint(
                        position: Position(latitude: 57, longitude: 9)!, time: noon, elevation: 7, course: 90,
                        speed: 0.3, accuracy: 0.4), isAfterGap: true))
        #expect(points.all.map(\.isAfterGap) == [true, false])
    }

    @Test("Being lost, silent or carried away interrupts the way")
    func gaps() {
        apply(at: 0)
        apply(at: 1, lat: nil) { $0.position = .unknown }
        apply(at: 2)
        apply(at: 40)  // stale since 32
        apply(at: 41)
        for second in 42..<48 { apply(at: Double(second), lat: 58) }  // too far, until it has insisted
        #expect(points.all.map(\.isAfterGap) == [true, true, true, false, true, false])
        #expect(points.all.map(\.point.position.latitude) == [57, 57, 57, 57, 58, 58])
    }

    @Test("A late report's fix belongs to the way, and does not interrupt it")
    func late() {
        apply(at: 0, said: 0)
        apply(at: 10, lat: 57.0001, said: 10)
        apply(at: 11, lat: 57.00005, said: 5)
        apply(at: 12, lat: 57.00011, said: 12)
        #expect(points.all.map { $0.point.time?.duration(since: noon) } == [0, 10, 5, 12].map { Duration.seconds($0) })
        #expect(points.all.map(\.isAfterGap) == [true, false, false, false])
    }

    @Test("What an earlier process has logged is not logged again, and the way from there is not known")
    func known() throws {
        let recorder = TrackRecorder { [points] in points.all.append($0) }
        source.observers = [recorder]
        var published = Location(id: "v1", source: "vacuums", time: noon)
        (published.position, published.positionTime) = (Position(latitude: 57, longitude: 9), noon)
        let restored = try #require(source.restore(published, at: start))
        let update = LocationUpdate(location: restored.location, cause: .known, isUrgent: false)
        recorder.locationsUpdated([update], from: source, at: start)
        apply(at: 1, lat: nil, said: 1) { $0.charge = .value(50) }
        #expect(points.all.isEmpty, "it is still where it was logged")
        apply(at: 2, lat: 57.00001, said: 2)
        apply(at: 3, lat: 57.00002, said: 3)
        #expect(points.all.map(\.point.position.latitude) == [57.00001, 57.00002])
        #expect(points.all.map(\.isAfterGap) == [true, false])
    }

    @Test("Only the sources that are wanted are logged")
    func wanted() {
        source.observers = [TrackRecorder(["people"]) { [points] in points.all.append($0) }]
        apply(at: 0)
        #expect(points.all.isEmpty)
    }
}
