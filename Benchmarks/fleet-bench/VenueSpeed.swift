import FleetEngine
import Geometry
import Glibc
import JSON
import Locations
import MQTTModel
import Venues

/// What it costs to know the rooms of 10 000 locations that report twice a second, among 5 000 rooms of one floor, and to
/// hold their positions against its walls and doors.
struct VenueSpeed {
    static let locations = 10_000
    private static let columns = 100
    private static let rows = 50
    /// Metres; every room has a niche, so its outline has eight corners.
    private static let (width, depth, niche) = (4.0, 5.0, 1.0)
    private static let rounds = 15
    private static let filters: [UInt32] = [1]

    private let frame: MapFrame
    private var areas = SiteAreas(venues: [])
    private var matcher = VenueMatcher([], .walkable)

    init() throws {
        guard let origin = Position(latitude: 57.0582502, longitude: 9.9504788) else {
            preconditionFailure("a constant")
        }
        frame = MapFrame(origin: origin)
        let (w, d, n) = (Self.width, Self.depth, Self.niche)
        let length = (w * Double(Self.columns), d * Double(Self.rows))
        var features = [
            feature("level", "ground", [(0, 0), (length.0, 0), length, (0, length.1)], #""ordinal":0"#)
        ]
        for number in 0..<Self.columns * Self.rows {
            let (x, y) = (Double(number % Self.columns) * w, Double(number / Self.columns) * d)
            let corners = [
                (0, 0), (w / 2, 0), (w / 2, -n), (w, -n), (w, d - n), (w / 2, d - n), (w / 2, d), (0, d),
            ].map { (x + $0, y + $1) }
            features.append(feature("unit", "room\(number)", corners, #""level_id":"ground","category":"room""#))
            // Whoever walks through the rooms goes through their doors.
            features.append(door("door\(number)", [(x, y + 0.35 * d), (x, y + 0.55 * d)]))
        }
        let reader = VenueReader(building: "Hall") { _ in nil }
        reader.read(
            Array(#"{"type":"FeatureCollection","features":[\#(features.joined(separator: ","))]}"#.utf8), name: "bench"
        )
        guard let venue = reader.finish() else { preconditionFailure("\(reader.faults)") }
        areas = SiteAreas(venues: [venue])
        matcher = VenueMatcher([venue], .walkable)
    }

    private func feature(_ type: String, _ id: String, _ corners: [(Double, Double)], _ properties: String) -> String {
        let ring = coordinates(corners + corners.prefix(1))
        return #"{"type":"Feature","id":"\#(id)","feature_type":"\#(type)","properties":{\#(properties)},"#
            + #""geometry":{"type":"Polygon","coordinates":[\#(ring)]}}"#
    }

    private func door(_ id: String, _ line: [(Double, Double)]) -> String {
        #"{"type":"Feature","id":"\#(id)","feature_type":"opening","properties":{"level_id":"ground"},"#
            + #""geometry":{"type":"LineString","coordinates":\#(coordinates(line))}}"#
    }

    private func coordinates(_ points: [(Double, Double)]) -> String {
        let positions = points.compactMap { frame.position(x: $0.0, y: $0.1) }
        let texts = positions.map { "[\(JSONNumber.text(of: $0.longitude)),\(JSONNumber.text(of: $0.latitude))]" }
        return "[\(texts.joined(separator: ","))]"
    }

    func figures() throws -> [(String, JSONValue)] {
        let (without, with) = (try Pipeline(), try Pipeline(areas: AreaSettings(finder: areas)))
        let matching = try Pipeline(
            areas: AreaSettings(finder: areas), matching: PositionMatching(matcher), maxSpeed: 3)
        var (plain, found, matched): ([Double], [Double], [Double]) = ([], [], [])
        for round in 0...Self.rounds {
            let (messages, start) = (messages(round), Duration.milliseconds(500 * round))
            let before = Self.seconds()
            without.run(messages, at: start)
            let between = Self.seconds()
            with.run(messages, at: start)
            let after = Self.seconds()
            matching.run(messages, at: start)
            guard round > 0 else { continue }
            plain.append((between - before) / Double(Self.locations))
            found.append((after - between) / Double(Self.locations))
            matched.append((Self.seconds() - after) / Double(Self.locations))
        }
        precondition(with.publishes >= Self.locations * (Self.rounds + 1), "every message is published")
        let aSecond = Double(2 * Self.locations)
        return [
            ("room-lookups-per-second", rounded(try lookups())),
            ("room-share-of-core", rounded((median(found) - median(plain)) * aSecond, 3)),
            ("matching-share-of-core", rounded((median(matched) - median(found)) * aSecond, 3)),
            ("venue-pipeline-share-of-core", rounded(median(found) * aSecond, 3)),
        ]
    }

    /// Where a location is in a round: it goes a metre in two seconds, through one room after another.
    private func position(_ location: Int, _ round: Int) throws -> Position {
        let way = Double(location * 37 % (Self.columns * 40)) / 10 + Double(round) * 0.25
        let x = way.truncatingRemainder(dividingBy: Double(Self.columns) * Self.width)
        let y = (Double(location % Self.rows) + 0.45) * Self.depth
        guard let position = frame.position(x: x, y: y) else { preconditionFailure("within the frame's reach") }
        return position
    }

    private func messages(_ round: Int) -> [Message] {
        (0..<Self.locations).map { location in
            guard let position = try? position(location, round) else { preconditionFailure("within the frame's reach") }
            let (lat, lon) = (position.latitude, position.longitude)
            let text = """
                {"lat":\(JSONNumber.text(of: (lat * 1e8).rounded() / 1e8)),"lon":\(JSONNumber.text(of: (lon * 1e8).rounded() / 1e8)),\
                "floor":0,"charge":\(100 - location % 100),"heading":90.5,"speed":0.5,"accuracy":0.3,"seq":\(round),\
                "state":"cleaning","name":"Vacuum \(location)","type":"robot-vacuum","building":"Hall"}
                """
            return Message(
                topicName: "fleet/vacuums/vacuum\(location)/telemetry", payload: Array(text.utf8), qos: .atLeastOnce,
                subscriptionIdentifiers: Self.filters)
        }
    }

    /// The thread's own time: what else the machine does is not in it.
    private static func seconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }

    private func lookups() throws -> Double {
        let places = try (0..<Self.locations).map {
            Place(position: try position($0, 0), building: "Hall", floor: 0)
        }
        var rates: [Double] = []
        for round in 0...Self.rounds {
            let start = Self.seconds()
            var found = 0
            for place in places where areas.room(at: place) != nil { found += 1 }
            precondition(found == places.count, "\(found) places are in rooms")
            if round > 0 { rates.append(Double(places.count) / (Self.seconds() - start)) }
        }
        return median(rates)
    }
}
