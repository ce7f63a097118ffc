internal import Expressions
internal import Geometry
internal import JSON
internal import Locations

/// A location as expressions see it: the state's fields first, then the properties.
///
/// A class, since a location is large: an evaluation hands its feature on many times.
final class LocationFeature: ExpressionFeature {
    /// The fields, by the number under which a compiled expression asks for them.
    private enum Field: Int, CaseIterable {
        case id, source, type, name, building, floor, lat, lon, heading, speed, accuracy, altitude, charge, time, status
    }

    /// Gives each field's name its number.
    static let slots = Dictionary(uniqueKeysWithValues: Field.allCases.map { ("\($0)", $0.rawValue) })

    private let location: Location

    init(_ location: Location) { self.location = location }

    func property(_ name: PropertyName) -> Value? {
        guard let slot = name.slot, let field = Field(rawValue: slot) else {
            return location.properties[name.text].map { Value($0) }
        }
        return value(of: field)
    }

    private func value(of field: Field) -> Value? {
        switch field {
        case .id: .string(location.id.text)
        case .source: .string(location.source.text)
        case .type: location.type.map { .string($0) }
        case .name: .string(location.displayName)
        case .building: location.building.map { .string($0) }
        case .floor: location.floor.map { .number(Double($0)) }
        case .lat: location.position.map { .number($0.latitude) }
        case .lon: location.position.map { .number($0.longitude) }
        case .heading: location.heading.map { .number($0) }
        case .speed: location.speed.map { .number($0) }
        case .accuracy: location.accuracy.map { .number($0) }
        case .altitude: location.altitude.map { .number($0) }
        case .charge: location.charge.map { .number($0) }
        case .time: .string(location.time.iso8601)
        case .status: .string(location.status.rawValue)
        }
    }

    /// All of it in one object, fields over properties.
    var properties: JSONObject {
        var object = location.properties
        for field in Field.allCases {
            if let value = value(of: field) { object["\(field)"] = value.json }
        }
        return object
    }

    var id: Value { .string(location.id.text) }

    var geometry: FeatureGeometry? {
        location.position.map { .point(Coordinate(longitude: $0.longitude, latitude: $0.latitude)) }
    }
}
