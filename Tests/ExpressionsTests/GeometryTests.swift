import Expressions
import JSON
import Testing

struct GeometryTests {
    private static let square =
        #"{"type": "Polygon", "coordinates": [[[0, 0], [10, 0], [10, 10], [0, 10], [0, 0]], "#
        + "[[4, 4], [6, 4], [6, 6], [4, 6], [4, 4]]]}"

    private func at(_ longitude: Double, _ latitude: Double) -> Coordinate {
        Coordinate(longitude: longitude, latitude: latitude)
    }

    @Test(
        "A point on the border is not within, nor one in a hole",
        arguments: [
            (1, 1, true), (0, 0, false), (0, 5, false), (5, 0, false), (10, 10, false), (5, 5, false), (4, 5, false),
            (3.999, 5, true), (11, 5, false), (9.999999, 9.999999, true), (365, 5, false), (361, 1, true),
        ] as [(Double, Double, Bool)])
    func border(longitude: Double, latitude: Double, isWithin: Bool) throws {
        let value = try evaluate("[\"within\", \(Self.square)]", geometry: .point(at(longitude, latitude)))
        #expect(value == .bool(isWithin))
    }

    @Test("A line is within when all of it is")
    func lines() throws {
        func isWithin(_ geometry: FeatureGeometry) throws -> Value {
            try evaluate("[\"within\", \(Self.square)]", geometry: geometry)
        }
        #expect(try isWithin(.lineString([at(1, 1), at(9, 1)])) == .bool(true))
        #expect(try isWithin(.lineString([at(1, 1), at(9, 9)])) == .bool(false))
        #expect(try isWithin(.lineString([at(1, 1), at(11, 1)])) == .bool(false))
        #expect(try isWithin(.multiPoint([at(1, 1), at(20, 1)])) == .bool(false))
        #expect(try isWithin(.polygon([[at(1, 1), at(2, 1), at(2, 2), at(1, 1)]])) == .bool(false))
    }

    @Test("A feature without geometry is within nothing and no distance from anything")
    func nothing() throws {
        #expect(try evaluate("[\"within\", \(Self.square)]") == .bool(false))
        #expect(try evaluate("[\"distance\", \(Self.square)]").isMissing)
    }

    @Test(
        "Distances are metres on the ellipsoid, within 0.1 %",
        arguments: [
            (#"{"type": "Point", "coordinates": [9.95, 57.06]}"#, 111.37),
            (#"{"type": "LineString", "coordinates": [[9.94, 57.06], [9.96, 57.06]]}"#, 111.37),
            (
                #"{"type": "Polygon", "coordinates": "#
                    + "[[[9.94, 57.05], [9.96, 57.05], [9.96, 57.07], [9.94, 57.07], [9.94, 57.05]]]}",
                0
            ),
            (#"{"type": "MultiPoint", "coordinates": [[9.95, 57.1], [9.95, 57.06]]}"#, 111.37),
        ] as [(String, Double)])
    func distances(json: String, metres: Double) throws {
        guard case .number(let distance) = try evaluate("[\"distance\", \(json)]", geometry: .point(at(9.95, 57.059)))
        else { return #expect(Bool(false)) }
        #expect((distance - metres).magnitude <= metres / 1000)
    }

    @Test(
        "What is no geometry does not compile",
        arguments: [
            #"["within", {"type": "Point", "coordinates": [0, 0]}]"#, #"["within", {"type": "Polygon"}]"#,
            #"["within", {"type": "Polygon", "coordinates": [[["a", 0]]]}]"#, #"["within", 5]"#,
            #"["distance", {"type": "Point", "coordinates": []}]"#,
            #"["distance", {"type": "Feature", "geometry": null}]"#,
        ])
    func broken(json: String) throws {
        #expect(try faults(json).count == 1)
    }

    @Test("The geometry's type is GeoJSON's")
    func type() throws {
        #expect(try evaluate(#"["geometry-type"]"#, geometry: .multiPoint([at(0, 0)])) == .string("MultiPoint"))
        #expect(try evaluate(#"["geometry-type"]"#) == .null)
    }
}
