import Geometry
import Testing

@testable import WebInterface

@Suite("A box of the map")
struct BoundingBoxTests {
    private func position(_ longitude: Double, _ latitude: Double) throws -> Position {
        try #require(Position(latitude: latitude, longitude: longitude))
    }

    @Test(
        "Edges belong to it; with west > east it crosses the 180° meridian",
        arguments: [
            ("9,57,10,58", 9.0, 57.0, true), ("9,57,10,58", 10, 58, true), ("9,57,10,58", 8.999, 57.5, false),
            ("9,57,10,58", 9.5, 58.001, false), ("170,-20,-170,20", 175, 0, true), ("170,-20,-170,20", -175, 0, true),
            ("170,-20,-170,20", 180, 0, true), ("170,-20,-170,20", -180, 0, true), ("170,-20,-170,20", 0, 0, false),
            ("170,-20,180,20", -180, 0, true), ("-180,-20,-170,20", 180, 0, true), ("-180,-90,180,90", 12, 3, true),
        ])
    func contains(box: String, longitude: Double, latitude: Double, isIn: Bool) throws {
        #expect(try BoundingBox(box).contains(position(longitude, latitude)) == isIn)
    }

    @Test(
        "What is no box is refused with the reason",
        arguments: [
            ("", "degrees"), ("1,2,3", "degrees"), ("1,2,3,4,5", "degrees"), ("a,2,3,4", "degrees"),
            ("nan,0,1,1", "degrees"), ("inf,0,1,1", "degrees"), ("-181,0,1,1", "±180"), ("0,0,181,1", "±180"),
            ("0,2,1,1", "south"), ("0,-91,1,1", "±90"),
        ])
    func refused(text: String, word: String) {
        #expect { try BoundingBox(text) } throws: { ($0 as? BadRequest)?.reason.contains(word) ?? false }
    }
}
