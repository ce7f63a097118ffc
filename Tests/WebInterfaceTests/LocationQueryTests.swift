import Geometry
import HTTPServer
import Locations
import Testing
import Timestamps

@testable import WebInterface

@Suite("Filters of locations")
struct LocationQueryTests {
    private func location() -> Location {
        var location = Location(id: "a", source: "vacuums", time: Timestamp(microseconds: 0), status: .stale)
        (location.building, location.floor) = ("Hall", 10)
        location.position = Position(latitude: 57, longitude: 9)
        return location
    }

    private func takes(_ query: String, _ location: Location) throws -> Bool {
        let target = try #require(HTTPTarget(Array("/?\(query)".utf8)))
        return try LocationQuery(target.query).takes(location)
    }

    @Test(
        "A filter that is mentioned several times takes any of its values, several filters all together",
        arguments: [
            ("", true), ("source=vacuums", true), ("source=people", false), ("source=people&source=vacuums", true),
            ("building=Hall", true), ("building=hall", false), ("floor=10", true), ("floor=0", false),
            ("floor=0&floor=10", true), ("status=stale", true), ("status=live", false), ("bbox=8,56,10,58", true),
            ("bbox=10,56,8,58", false), ("source=vacuums&floor=0", false), ("token=x", true),
        ])
    func filters(query: String, isTaken: Bool) throws {
        #expect(try takes(query, location()) == isTaken)
    }

    @Test("What a location does not have no filter takes")
    func unknown() throws {
        var location = location()
        (location.building, location.floor, location.position) = (nil, nil, nil)
        for query in ["building=Hall", "floor=10", "bbox=-180,-90,180,90"] { #expect(try !takes(query, location)) }
        #expect(try takes("status=stale", location))
    }

    @Test(
        "A filter that cannot be understood is refused with the reason",
        arguments: [
            ("floor=x", "floor"), ("floor=", "floor"), ("floor=1.5", "floor"), ("status=alive", "live, stale"),
            ("status=", "status"), ("bbox=1", "bbox"), ("bbox=0,0,1,1&bbox=0,0,1,1", "twice"), ("colour=red", "colour"),
        ])
    func refused(query: String, word: String) throws {
        #expect { try takes(query, location()) } throws: { ($0 as? BadRequest)?.reason.contains(word) ?? false }
    }
}
