internal import Expressions
internal import Geometry
internal import JSON
internal import Locations

/// A location as expressions see it: the state's fields first, then the properties.
///
/// It points to the location, which is large, and lives no longer than the call that it is made for: an evaluation hands
/// its feature on many times.
struct LocationFeature: ExpressionFeature {
    /// The fields, by the number under which a compiled expression asks for them.
    enum Field: Int, CaseIterable {
        case id, source, type, name, building, floor, lat, lon, heading, speed, averageSpeed, accuracy, altitude,
            charge, time, status, room
    }

    /// What steps over the held input read.
    private struct Held {
        /// `nil`: as it is.
        let value: Double?
        let name: PropertyName
    }

    /// Gives each field's name its number.
    static let slots = Dictionary(uniqueKeysWithValues: Field.allCases.map { ("\($0)", $0.rawValue) })

    /// With the held input, for rules that may read it.
    static let slotsWithHeld = slots.merging([HeldInput.name: HeldInput.slot]) { $1 }

    private let subject: UnsafePointer<Location>
    private let held: UnsafePointer<Held>?

    static func with<Result>(_ location: Location, _ body: (LocationFeature) -> Result) -> Result {
        withUnsafePointer(to: location) { body(LocationFeature(subject: $0, held: nil)) }
    }

    /// The same location with a held input.
    ///
    /// - Parameter value: `nil`: as it is.
    func holding<Result>(
        _ value: Double?, _ name: PropertyName, _ body: (LocationFeature) throws(EvaluationError) -> Result
    ) throws(EvaluationError) -> Result {
        try withUnsafePointer(to: Held(value: value, name: name)) { (held) throws(EvaluationError) in
            try body(LocationFeature(subject: subject, held: held))
        }
    }

    var location: Location { subject.pointee }

    func property(_ name: PropertyName) -> Value? {
        guard let slot = name.slot, let field = Field(rawValue: slot) else {
            if name.slot == HeldInput.slot, let held {
                return held.pointee.value.map { .number($0) } ?? property(held.pointee.name)
            }
            return subject.pointee.properties[name.text].map { Value($0) }
        }
        return value(of: field)
    }

    private func value(of field: Field) -> Value? {
        switch field {
        case .id: .string(subject.pointee.id.text)
        case .source: .string(subject.pointee.source.text)
        case .type: subject.pointee.type.map { .string($0) }
        case .name: .string(subject.pointee.displayName)
        case .building: subject.pointee.building.map { .string($0) }
        case .floor: subject.pointee.floor.map { .number(Double($0)) }
        case .lat: subject.pointee.position.map { .number($0.latitude) }
        case .lon: subject.pointee.position.map { .number($0.longitude) }
        case .heading: subject.pointee.heading.map { .number($0) }
        case .speed: subject.pointee.speed.map { .number($0) }
        case .averageSpeed:
            // What the device says is among its properties.
            subject.pointee.averageSpeed.map { .number($0) }
                ?? subject.pointee.properties["averageSpeed"].map { Value($0) }
        case .accuracy: subject.pointee.accuracy.map { .number($0) }
        case .altitude: subject.pointee.altitude.map { .number($0) }
        case .charge: subject.pointee.charge.map { .number($0) }
        case .time: .string(subject.pointee.time.iso8601)
        case .status: .string(subject.pointee.status.rawValue)
        case .room:
            subject.pointee.room.map { .string($0.name) } ?? subject.pointee.properties["room"].map { Value($0) }
        }
    }

    /// All of it in one object, fields over properties.
    var properties: JSONObject {
        var object = subject.pointee.properties
        for field in Field.allCases {
            if let value = value(of: field) { object["\(field)"] = value.json }
        }
        return object
    }

    var id: Value { .string(subject.pointee.id.text) }

    var geometry: FeatureGeometry? {
        subject.pointee.position.map { .point(Coordinate(longitude: $0.longitude, latitude: $0.latitude)) }
    }
}
