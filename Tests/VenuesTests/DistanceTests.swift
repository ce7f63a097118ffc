import Foundation
import Geometry
import JSON
import Testing

/// Distances to areas against those of an independent library: Fixtures/make-distances.py makes them with GEOS and PROJ.
struct DistanceTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var area: GeographicArea
        /// Square metres.
        var size: Double
        var points: [(position: Position, distance: Double)]
        var testDescription: String { name }
    }

    static let cases: [Case] = {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/distances.json")
        guard let data = try? Data(contentsOf: file), let json = try? JSONParser().parse(Array(data)) else { return [] }
        func position(_ json: JSONValue) -> Position? {
            guard let numbers = json.array?.compactMap(\.number), numbers.count >= 2 else { return nil }
            return Position(latitude: numbers[1], longitude: numbers[0])
        }
        return (json.array ?? []).compactMap(\.object).map { item in
            let polygons = (item["polygons"]?.array ?? []).map { polygon in
                (polygon.array ?? []).map { ring in (ring.array ?? []).dropLast().compactMap(position) }
            }
            let points = (item["points"]?.array ?? []).compactMap { row -> (Position, Double)? in
                guard let place = position(row), let distance = row.array?[2].number else { return nil }
                return (place, distance)
            }
            return Case(
                name: item["name"]?.string ?? "", area: GeographicArea(polygons), size: item["area"]?.number ?? 0,
                points: points)
        }
    }()

    @Test("There are cases at high latitudes, across the 180° meridian, with holes and on borders")
    func exists() {
        #expect(Self.cases.count == 64)
        #expect(Self.cases.allSatisfy { $0.points.count >= 27 })
        #expect(Self.cases.contains { $0.points.contains { $0.distance == 0 } })
        #expect(Self.cases.contains { $0.area.positions.contains { $0.latitude > 84 && $0.longitude < -179.9 } })
    }

    @Test("A distance is the library's, within the 5 mm to which borders are known", arguments: cases)
    func distances(item: Case) throws {
        let middle = try #require(Position.middle(of: Array(item.area.positions)))
        let area = try #require(PlaneArea(item.area, in: MapFrame(origin: middle)))
        for (position, expected) in item.points {
            let point = try #require(MapFrame(origin: middle).point(of: position))
            let distance = area.signedDistance(from: point)
            // Some kilometres from the middle the plane itself counts: d³ / 6R².
            let tolerance = item.name.hasPrefix("district") ? 0.02 : 0.006
            #expect(abs(distance - expected) < tolerance, "\(position): \(distance), not \(expected)")
            if abs(expected) > 0.006 { #expect(area.contains(point) == (expected < 0), "\(position)") }
        }
        #expect(abs(area.size - item.size) < max(0.5, item.size * 1e-5), "\(area.size), not \(item.size)")
    }

    @Test("The grid finds what each area by itself says, and nothing else")
    func grid() throws {
        for place in ["equator", "85 north", "180 east", "180 at 85 north"] {
            let cases = Self.cases.filter { $0.name.hasSuffix(", \(place)") && !$0.name.hasPrefix("district") }
            let middle = try #require(cases.first.flatMap { Position.middle(of: Array($0.area.positions)) })
            let frame = MapFrame(origin: middle)
            let areas = try cases.map { try #require(PlaneArea($0.area, in: frame)) }
            let grid = AreaGrid(areas)
            for position in cases.flatMap({ $0.points.map(\.position) + Array($0.area.positions) }) {
                let point = try #require(frame.point(of: position))
                var found: Set<Int> = []
                grid.forEachArea(at: point) { found.insert($0) }
                #expect(found == Set(areas.indices.filter { areas[$0].contains(point) }), "\(position)")
                let smallest = found.min { (areas[$0].size, $0) < (areas[$1].size, $1) }
                #expect(grid.smallestArea(at: point) == smallest)
            }
        }
    }

    @Test("A corner is in its area, and so is its label's place")
    func borders() throws {
        for item in Self.cases {
            let middle = try #require(Position.middle(of: Array(item.area.positions)))
            let area = try #require(PlaneArea(item.area, in: MapFrame(origin: middle)))
            for position in item.area.positions {
                #expect(try area.contains(#require(MapFrame(origin: middle).point(of: position))), "\(item.name)")
            }
            #expect(area.signedDistance(from: area.labelPoint) < -1, "\(item.name)")
        }
    }
}
