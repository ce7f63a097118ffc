import Configuration
import Geometry
import Projections
import Testing

@Suite("The setting projectTo")
struct CoordinateSystemTests {
    @Test("It names a coordinate system that the engine gets", .enabled(if: CoordinateSystems.isAvailable))
    func system() throws {
        let system = try #require(try configuration("projectTo: EPSG:25832").engine.coordinateSystem)
        #expect(system.project(try #require(Position(latitude: 0, longitude: 9)))?.crs == "EPSG:25832")
        #expect(try configuration("republishRate: 10").engine.coordinateSystem == nil)
    }

    @Test(
        "What is none is a fault at the value", .enabled(if: CoordinateSystems.isAvailable),
        arguments: [
            ("EPSG:99999", ["\"EPSG:99999\" is no coordinate reference system", "expected a code such as EPSG:25832"]),
            ("EPSG:5773", ["no plane"]), ("EPSG:5513", ["east and north"]), ("25832", ["text"]), ("[x]", ["text"]),
            ("", ["no value"]), ("\"EPSG:25832\\n\"", ["one line"]), ("+proj=utm +zone=32 +ellps=GRS80", ["datum"]),
        ])
    func faults(value: String, words: [String]) {
        let place = value.isEmpty ? "1:11" : "1:12"
        expect("projectTo: \(value)", [(place, ["error", "projectTo"] + words)])
    }

    @Test("Without PROJ it is a fault that says so", .enabled(if: !CoordinateSystems.isAvailable))
    func unavailable() {
        expect("projectTo: EPSG:25832", [("1:12", ["error", "projectTo", "built without"])])
    }
}
