import Foundation
import Geometry
import JSON
import Projections
import Testing

/// Positions in other systems, held against pyproj: Fixtures/make-projected.py makes the cases.
@Suite("Coordinate systems", .enabled(if: CoordinateSystems.isAvailable))
struct ProjectedSystemTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var crs: String
        var positions: [(position: Position, x: Double?, y: Double?)]
        var testDescription: String { crs }
    }

    static let cases: [Case] = {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/projected.json")
        guard let data = try? Data(contentsOf: file), let json = try? JSONParser().parse(Array(data)) else { return [] }
        return (json.array ?? []).compactMap(\.object).map { item in
            let positions = (item["positions"]?.array ?? []).compactMap(\.object).compactMap {
                row -> (Position, Double?, Double?)? in
                guard let latitude = row["lat"]?.number, let longitude = row["lon"]?.number,
                    let position = Position(latitude: latitude, longitude: longitude)
                else { return nil }
                let place = row["place"]?.array?.compactMap(\.number)
                return (position, place?[0], place?[1])
            }
            return Case(crs: item["crs"]?.string ?? "", positions: positions)
        }
    }()

    private func position(_ longitude: Double, _ latitude: Double) throws -> Position {
        try #require(Position(latitude: latitude, longitude: longitude))
    }

    @Test("There are cases of zones, poles, the southern hemisphere, feet and degrees, in and out of their domain")
    func exists() {
        #expect(Self.cases.count == 19)
        #expect(Self.cases.reduce(0) { $0 + $1.positions.count } > 200)
        #expect(Self.cases.reduce(0) { $0 + $1.positions.count { $0.x == nil } } > 10)
    }

    @Test("A place is pyproj's within half a millimetre, and absent where that has none", arguments: cases)
    func places(item: Case) throws {
        let system = try CoordinateSystems.system(item.crs)
        let isAngular = ["EPSG:4326", "EPSG:4258", "EPSG:4267", "OGC:CRS84"].contains(item.crs)
        // Far from their middles, versions of PROJ differ in the tenth digit.
        let tolerance = isAngular ? 0.51e-9 : 0.51e-3
        for (position, x, y) in item.positions {
            let place = system.project(position)
            #expect((place == nil) == (x == nil), "\(position)")
            guard let place, let x, let y else { continue }
            #expect(abs(place.x - x) <= tolerance && abs(place.y - y) <= tolerance, "\(position): \(place), \(x) \(y)")
        }
    }

    @Test(
        "Published examples come out",
        arguments: [
            // IOGP 373-7-2, Lambert Azimuthal Equal Area; swisstopo's fundamental point; the false origin of UTM.
            ("EPSG:3035", 5.0, 50.0, 3_962_799.45, 2_999_718.85, 0.01),
            ("EPSG:2056", 7.438632495, 46.951082877, 2_600_000, 1_200_000, 0.03),
            ("EPSG:25832", 9, 0, 500_000, 0, 0),
            ("EPSG:32733", 15, 0, 500_000, 10_000_000, 0),
            // The Ordnance Survey's Caister water tower, by its grid; without that, within a few metres.
            ("EPSG:27700", 1.716073973, 52.658007833, 651_409.804, 313_177.450, 5),
        ])
    func published(crs: String, longitude: Double, latitude: Double, x: Double, y: Double, tolerance: Double) throws {
        let place = try #require(try CoordinateSystems.system(crs).project(position(longitude, latitude)))
        #expect(abs(place.x - x) <= tolerance && abs(place.y - y) <= tolerance, "\(place)")
    }

    @Test("Metres are told to the millimetre, degrees to nine digits, and never as minus zero")
    func rounding() throws {
        let here = try position(9.95047881234567, 57.05825021234567)
        let metres = try #require(try CoordinateSystems.system("EPSG:25832").project(here))
        #expect("\(metres.x) \(metres.y)" == "557648.248 6324271.393")
        let degrees = try #require(try CoordinateSystems.system("OGC:CRS84").project(here))
        #expect("\(degrees.x) \(degrees.y)" == "9.950478812 57.058250212")
        let zero = try #require(try CoordinateSystems.system("EPSG:3857").project(position(-1e-12, -1e-12)))
        #expect("\(zero.x) \(zero.y)" == "0.0 0.0")
    }

    @Test(
        "A system is called by its code, else as it was written",
        arguments: [
            ("epsg:25832", "EPSG:25832"), ("WGS 84 / UTM zone 32N", "EPSG:32632"), ("EPSG:25832+5783", "EPSG:25832"),
            ("urn:ogc:def:crs:EPSG::3857", "EPSG:3857"), ("OGC:CRS84", "OGC:CRS84"), ("ESRI:54009", "ESRI:54009"),
            ("+proj=laea +lat_0=57 +lon_0=10 +datum=WGS84", "+proj=laea +lat_0=57 +lon_0=10 +datum=WGS84"),
            (
                "+proj=utm +zone=32 +ellps=bessel +towgs84=598.1,73.7,418.2,0.202,0.045,-2.455,6.7 +type=crs",
                "+proj=utm +zone=32 +ellps=bessel +towgs84=598.1,73.7,418.2,0.202,0.045,-2.455,6.7 +type=crs"
            ),
        ])
    func names(definition: String, name: String) throws {
        let place = try #require(try CoordinateSystems.system(definition).project(position(10, 57)))
        #expect(place.crs == name)
    }

    @Test(
        "What is no system to draw in is refused for what it is",
        arguments: [
            ("EPSG:99999", CoordinateSystemError.Reason.unknown, "not found"), ("UTM32", .unknown, ""),
            ("+proj=nonsense", .unknown, ""), ("EPSG:", .unknown, ""), ("{}", .unknown, ""),
            ("EPSG:5773", .notHorizontal, ""), ("EPSG:4978", .notHorizontal, ""),
            ("EPSG:5513", .otherAxes, "south, west"), ("EPSG:2053", .otherAxes, ""),
            ("+proj=utm +zone=32 +ellps=GRS80", .noTransformation, ""),
        ])
    func refused(definition: String, reason: CoordinateSystemError.Reason, detail: String) throws {
        let error = try #require(throws: CoordinateSystemError.self) { try CoordinateSystems.system(definition) }
        #expect(error.reason == reason, "\(error)")
        #expect(detail.isEmpty || error.detail.contains(detail), "\(error)")
        #expect(error.message.contains("expected"))
    }

    @Test("Of several ways to a system, the way back is the one that was gone there")
    func severalWays() throws {
        // ED50 has another relation to WGS 84 in each country, and at borders the way back would be another one.
        let system = try CoordinateSystems.system("EPSG:23032")
        var missing = 0
        for latitude in stride(from: 40.0, to: 62, by: 0.21) {
            for longitude in stride(from: 6.0, to: 12, by: 0.17) {
                if try system.project(position(longitude, latitude)) == nil { missing += 1 }
            }
        }
        #expect(missing == 0)
    }

    @Test("The same definition is the same system, another one is not")
    func comparison() throws {
        let system = try CoordinateSystems.system("EPSG:25832")
        #expect(system.isSame(as: try CoordinateSystems.system("EPSG:25832")))
        #expect(!system.isSame(as: try CoordinateSystems.system("EPSG:25833")))
    }

    @Test("Several threads may use one system")
    func threads() async throws {
        let system = try CoordinateSystems.system("EPSG:3857")
        let expected = try (0..<1_000).map { system.project(try position(Double($0) / 10, 50)) }
        let wrong = await withTaskGroup { group in
            for _ in 0..<4 {
                group.addTask {
                    (0..<1_000).count { index in
                        Position(latitude: 50, longitude: Double(index) / 10).flatMap(system.project) != expected[index]
                    }
                }
            }
            return await group.reduce(0, +)
        }
        #expect(wrong == 0)
    }
}

@Suite("A build without PROJ", .enabled(if: !CoordinateSystems.isAvailable))
struct MissingPROJTests {
    @Test("No system is there, and the fault says why")
    func unavailable() throws {
        let error = try #require(throws: CoordinateSystemError.self) { try CoordinateSystems.system("EPSG:25832") }
        #expect(error.reason == .unavailable && error.message.contains("built without"))
    }
}
