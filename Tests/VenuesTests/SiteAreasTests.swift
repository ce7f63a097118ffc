import Geometry
import Locations
import Testing
import Venues

struct SiteAreasTests {
    private typealias D = Drawing

    /// Two rooms side by side, a booth in the first, a shaft that is open to below; a room of another floor above.
    private func venue(_ building: String = "B", shiftedBy east: Double = 0) throws -> Venue {
        let reader = VenueReader(building: building) { _ in nil }
        reader.read(
            D.collection([
                D.level("l0"), D.level("l1", #""ordinal":1"#),
                D.unit("a", D.ring(east, 0, east + 20, 20)), D.unit("b", D.ring(east + 20, 0, east + 40, 20)),
                D.unit("booth", D.ring(east + 2, 2, east + 6, 6)),
                D.unit("column", D.ring(east + 34, 9, east + 36, 11), #""category":"column""#),
                D.unit("shaft", D.ring(east + 50, 0, east + 60, 20), #""category":"opentobelow""#),
                D.unit("above", D.ring(east, 0, east + 40, 20), level: "l1"),
            ]), name: "v.geojson")
        return try #require(reader.finish())
    }

    private func zone(_ id: String, _ corners: [(Double, Double)], building: String? = nil, floor: Int? = nil) -> Zone {
        Zone(
            id: id, name: "Zone \(id)", building: building, floor: floor,
            outline: GeographicArea([[corners.map { Position.drawn($0, $1) }]]))
    }

    @Test("A room is found by building, floor and polygon; of several the smallest")
    func rooms() throws {
        let areas = SiteAreas(venues: [try venue()])
        #expect(areas.room(at: D.place(10, 10))?.id == "a")
        #expect(areas.room(at: D.place(30, 10))?.id == "b")
        #expect(areas.room(at: D.place(4, 4))?.id == "booth")
        #expect(areas.room(at: D.place(10, 10, floor: 10))?.id == "above")
        #expect(areas.room(at: D.place(35, 10))?.id == "b", "a column is no room")
        #expect(areas.room(at: D.place(10, 10, floor: 20)) == nil)
        #expect(areas.room(at: D.place(10, 10, floor: nil)) == nil)
        #expect(areas.room(at: D.place(55, 10)) == nil)
        #expect(areas.room(at: D.place(10, -1)) == nil)
        #expect(areas.room(at: D.place(10, 10, building: "C")) == nil)
        #expect(areas.room(at: D.place(10, 10))?.id == "a")
        #expect(areas.room(at: D.place(10, 10))?.building == "B")
    }

    @Test("Who names no building is looked for in all of them")
    func anyBuilding() throws {
        let areas = SiteAreas(venues: [try venue("B"), try venue("A", shiftedBy: 1_000)])
        #expect(areas.room(at: D.place(10, 10, building: nil))?.building == "B")
        #expect(areas.room(at: D.place(1_010, 10, building: nil))?.building == "A")
        #expect(areas.room("a", building: nil)?.building == "A")
        #expect(areas.room("a", building: "B")?.building == "B")
        #expect(areas.room("z", building: nil) == nil)
    }

    @Test("The other side of the earth is in no room, though a plane has a point for it")
    func farAway() throws {
        let areas = SiteAreas(venues: [try venue()], zones: [zone("z", [(0, 0), (20, 0), (20, 20)])])
        for (latitude, longitude) in [(-57.0, -171.0), (57, -171), (57.0001, 10), (-57, 9)] {
            let position = try #require(Position(latitude: latitude, longitude: longitude))
            let place = Place(position: position, building: nil, floor: 0)
            #expect(areas.room(at: place) == nil && areas.zones(at: place).isEmpty)
        }
        let corners = [(0.0, 0.0), (0, 0.001), (0.001, 0)].compactMap { Position(latitude: $0, longitude: $1) }
        let equator = SiteAreas(venues: [], zones: [Zone(id: "e", outline: GeographicArea([[corners]]))])
        let opposite = try #require(Position(latitude: 0.0003, longitude: 180))
        #expect(equator.zones(at: Place(position: opposite, building: nil, floor: nil)).isEmpty)
    }

    @Test("Distances are signed, and there are none to what is on another floor")
    func distances() throws {
        let areas = SiteAreas(venues: [try venue()])
        let room = try #require(areas.room("a", building: "B"))
        let outside = try #require(areas.distance(from: D.place(25, 10), to: room))
        let inside = try #require(areas.distance(from: D.place(17.5, 10), to: room))
        #expect(abs(outside - 5 * 0.6082) < 0.01 && abs(inside + 2.5 * 0.6082) < 0.01)
        #expect(areas.distance(from: D.place(25, 10, floor: 10), to: room) == nil)
        #expect(areas.distance(from: D.place(25, 10, building: "C"), to: room) == nil)
        #expect(areas.distance(from: D.place(25, 10), to: Area(.room, id: "gone", building: "B")) == nil)
    }

    @Test("Zones overlap, and hold on all floors and in all buildings or on one")
    func zones() {
        let corners = [(0.0, 0.0), (20, 0), (20, 20), (0, 20)]
        let areas = SiteAreas(
            venues: [],
            zones: [
                zone("all", corners), zone("up", corners, floor: 10), zone("B", corners, building: "B"),
                zone("other", [(100, 0), (120, 0), (110, 20)]),
            ])
        func ids(_ place: Place) -> [String] { areas.zones(at: place).map(\.id.text).sorted() }
        #expect(ids(D.place(10, 10)) == ["B", "all"])
        #expect(ids(D.place(10, 10, floor: 10)) == ["B", "all", "up"])
        #expect(ids(D.place(10, 10, floor: nil, building: nil)) == ["B", "all"])
        #expect(ids(D.place(10, 10, building: "C")) == ["all"])
        #expect(ids(D.place(110, 5)) == ["other"])
        #expect(areas.zones(at: D.place(110, 5)).first?.name == "Zone other")
        #expect(ids(D.place(20, 20)) == ["B", "all"])
        #expect(ids(D.place(60, 10)).isEmpty)
    }

    @Test("Zones all over the world are each found in a frame of their own")
    func farApart() throws {
        let places: [(north: Double, east: Double)] = [(57, 9), (-33, 151), (0, 0), (57.05, 9)]
        func position(_ index: Int, _ north: Double, _ east: Double) throws -> Position {
            try #require(Position(latitude: places[index].north + north, longitude: places[index].east + east))
        }
        let zones = try places.indices.map { index in
            let corners = [
                try position(index, 0, 0), try position(index, 0.001, 0), try position(index, 0, 0.001),
            ]
            return Zone(id: "z\(index)", outline: GeographicArea([[corners]]))
        }
        let areas = SiteAreas(venues: [], zones: zones)
        for index in places.indices {
            let place = Place(position: try position(index, 0.0002, 0.0002), building: nil, floor: nil)
            #expect(areas.zones(at: place).map(\.id.text) == ["z\(index)"])
        }
    }

    @Test("Two of the same plan find the same; another name is another plan")
    func sameness() throws {
        let first = SiteAreas(venues: [try venue()], zones: [zone("z", [(0, 0), (20, 0), (20, 20)])])
        let second = SiteAreas(venues: [try venue()], zones: [zone("z", [(0, 0), (20, 0), (20, 20)])])
        #expect(first.finds(theSameAs: second))
        #expect(!first.finds(theSameAs: SiteAreas(venues: [try venue()])))
        #expect(AreaSettings(finder: first) == AreaSettings(finder: second))
    }

    @Test("A zone's file may be a geometry, a feature or several, and its faults are told")
    func zoneFiles() throws {
        func read(_ text: String) -> (area: GeographicArea?, faults: [VenueFault]) {
            GeographicArea.read(Array(text.utf8), name: "z.geojson")
        }
        let polygon = D.polygon(D.ring(0, 0, 20, 20))
        let feature = D.feature("x", "f", D.polygon(D.ring(30, 0, 40, 20)), "")
        #expect(read(polygon).area?.polygons.count == 1)
        #expect(read(feature).area?.polygons.count == 1)
        #expect(
            read(#"{"type":"FeatureCollection","features":[\#(feature),{"type":"Feature","geometry":\#(polygon)}]}"#)
                .area?
                .polygons.count == 2)
        let bad = read(D.polygon(D.ring([(0, 0), (20, 20), (20, 0), (0, 20), (0, 0)])))
        #expect(bad.area == nil && bad.faults.map(\.description).first?.contains("z.geojson: ring 1 touches") == true)
        #expect(read(#"{"type":"FeatureCollection","features":[]}"#).faults.count == 1)
        #expect(read("{").faults.count == 1)
    }
}
