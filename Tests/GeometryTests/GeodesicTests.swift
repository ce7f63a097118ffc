import Foundation
import Geometry
import Testing

private func position(_ latitude: Double, _ longitude: Double) -> Position {
    guard let position = Position(latitude: latitude, longitude: longitude) else { preconditionFailure("test data") }
    return position
}

@Suite("Positions and geodesics")
struct GeodesicTests {
    @Test(
        "A position in range is kept",
        arguments: [(90, 180), (-90, -180), (0, 0), (57.0582502, 9.9504788)] as [(Double, Double)])
    func accepted(latitude: Double, longitude: Double) {
        let position = Position(latitude: latitude, longitude: longitude)
        #expect(position?.latitude == latitude)
        #expect(position?.longitude == longitude)
    }

    @Test(
        "A position out of range or not a number is refused",
        arguments: [(90.0000001, 0), (-90.1, 0), (0, 180.1), (0, -181), (.nan, 0), (0, .nan), (.infinity, 0)]
            as [(Double, Double)])
    func refused(latitude: Double, longitude: Double) {
        #expect(Position(latitude: latitude, longitude: longitude) == nil)
    }

    /// Lengths known without this code: WGS 84's degree of the equator (a·π/180) and of its meridian (its arc
    /// integral) at both ends, the quarter meridian, and Vincenty's own line (Flinders Peak to Buninyong, Geocentric Datum of Australia manual,
    /// computed there on GRS 80, which differs from WGS 84 by less than the tolerance).
    @Test(
        "Distances are the ellipsoid's",
        arguments: [
            (position(0, 0), position(0, 1), 111_319.491, 0.001),
            (position(0, 179.5), position(0, -179.5), 111_319.491, 0.001),
            (position(0, 0), position(1, 0), 110_574.389, 0.001),
            (position(89, 10), position(90, 10), 111_693.865, 0.001),
            (position(0, 10), position(90, -77), 10_001_965.729, 0.001),
            (position(89.5, 0), position(89.5, 180), 111_693.951, 0.001),
            (
                position(-37 - 57 / 60 - 3.72030 / 3600, 144 + 25 / 60 + 29.52440 / 3600),
                position(-37 - 39 / 60 - 10.15610 / 3600, 143 + 55 / 60 + 35.38390 / 3600), 54_972.271, 0.002
            ),
        ])
    func distances(from: Position, to: Position, metres: Double, tolerance: Double) {
        #expect(abs(from.distance(to: to) - metres) < tolerance)
        #expect(abs(to.distance(to: from) - metres) < tolerance)
    }

    @Test("The Australian line starts and ends in the published directions")
    func azimuth() {
        let flinders = position(-37 - 57 / 60 - 3.72030 / 3600, 144 + 25 / 60 + 29.52440 / 3600)
        let buninyong = position(-37 - 39 / 60 - 10.15610 / 3600, 143 + 55 / 60 + 35.38390 / 3600)
        #expect(abs(flinders.bearing(to: buninyong) - (306 + 52 / 60 + 5.37 / 3600)) < 1e-5)
        #expect(abs(buninyong.bearing(to: flinders) - (127 + 10 / 60 + 25.07 / 3600)) < 1e-5)
    }

    @Test(
        "Bearings are clockwise from north and take the short way over 180°",
        arguments: [
            (position(10, 20), position(11, 20), 0.0), (position(0, 0), position(0, 1), 90.0),
            (position(11, 20), position(10, 20), 180.0), (position(0, 1), position(0, 0), 270.0),
            (position(0, 179.9), position(0, -179.9), 90.0), (position(0, -179.9), position(0, 179.9), 270.0),
        ])
    func bearings(from: Position, to: Position, degrees: Double) {
        #expect(abs(from.bearing(to: to) - degrees) < 1e-9)
    }

    @Test(
        "A place is no distance from itself, in no direction",
        arguments: [(0, 0), (90, 5), (-90, 0), (57, -180)] as [(Double, Double)])
    func same(latitude: Double, longitude: Double) {
        let here = position(latitude, longitude)
        #expect(here.distance(to: here) == 0)
        #expect(here.bearing(to: here) == 0)
    }

    @Test(
        "Nearly opposite places have a finite distance of half the earth",
        arguments: [
            position(0, 180), position(0.3, 179.7), position(0.0001, -179.9999), position(0.5, 179.5),
        ])
    func opposite(there: Position) {
        let distance = position(0, 0).distance(to: there)
        #expect((19_800_000...20_020_000).contains(distance))
        #expect((0..<360).contains(position(0, 0).bearing(to: there)))
    }

    @Test(
        "Walking a distance in a direction arrives at that distance, and walking back returns",
        arguments: [0, 57.0582502, -33, 89.99999, -89.9999, 75] as [Double],
        [0, 12.5, 90, 180, 270, 359.9, -45, 725] as [Double])
    func roundTrip(latitude: Double, bearing: Double) throws {
        for longitude in [9.9504788, 179.999999, -180] {
            for metres in [0.5, 30, 5_000, 900_000] {
                let start = position(latitude, longitude)
                let end = try #require(start.destination(distance: metres, bearing: bearing))
                #expect(abs(start.distance(to: end) - metres) < 0.001)
                let back = try #require(end.destination(distance: metres, bearing: end.bearing(to: start)))
                #expect(start.distance(to: back) < 0.002)
            }
        }
    }

    @Test("A walk over the 180° meridian arrives on the other side")
    func dateLine() throws {
        let end = try #require(position(0, 179.9999).destination(distance: 30, bearing: 90))
        #expect(end.longitude < -179.99)
    }

    @Test("A negative distance walks backwards")
    func backwards() throws {
        let end = try #require(position(10, 10).destination(distance: -100, bearing: 0))
        #expect(end.latitude < 10)
        #expect(abs(end.distance(to: position(10, 10)) - 100) < 0.001)
    }

    @Test(
        "A walk of no finite length leads nowhere",
        arguments: [(.nan, 0), (.infinity, 0), (1, .nan), (1e12, 0)] as [(Double, Double)])
    func nowhere(distance: Double, bearing: Double) {
        #expect(position(10, 10).destination(distance: distance, bearing: bearing) == nil)
    }
}
