internal import JSON
internal import Locations

/// Where a message says that its device is.
public struct MappedPosition: Sendable, Equatable {
    public var place: Place
    /// Whether the two coordinates come in two messages: the position is known when both have come.
    public var isPaired = false

    public enum Place: Sendable, Equatable {
        /// The message says that the device does not know.
        case unknown
        /// WGS 84.
        case geographic(latitude: [MappedNumber<CoordinateUnit>], longitude: [MappedNumber<CoordinateUnit>])
        /// Metres, y up, on a plan that the map names.
        case plan(x: [MappedNumber<LengthUnit>], y: [MappedNumber<LengthUnit>], map: [MappedValue])
    }

    public init(_ place: Place, isPaired: Bool = false) {
        self.place = place
        self.isPaired = isPaired
    }
}

extension MappedPosition {
    static func geographic(
        _ latitude: MappedNumber<CoordinateUnit>, _ longitude: MappedNumber<CoordinateUnit>
    ) -> MappedPosition { MappedPosition(.geographic(latitude: [latitude], longitude: [longitude])) }

    static func plan(
        _ x: MappedNumber<LengthUnit>, _ y: MappedNumber<LengthUnit>, map: [MappedValue] = []
    ) -> MappedPosition { MappedPosition(.plan(x: [x], y: [y], map: map)) }
}

// MARK: Reading

/// The two numbers of a position, each with the place where it stands or should stand.
struct Coordinates {
    enum Half {
        case missing(place: String)
        case unknown
        case value(JSONValue, place: String)
    }

    var first: Half
    var second: Half
    let isGeographic: Bool
    var map: String?

    /// - Returns: `nil` for a position that is only ever unknown.
    init?(_ mapped: MappedPosition, _ scope: MappingScope, _ fields: inout FieldReader) {
        switch mapped.place {
        case .unknown: return nil
        case .geographic(let latitude, let longitude):
            isGeographic = true
            first = Self.half(latitude, scope, &fields)
            second = Self.half(longitude, scope, &fields)
        case .plan(let x, let y, let map):
            isGeographic = false
            first = Self.half(x, scope, &fields)
            second = Self.half(y, scope, &fields)
            for way in map where self.map == nil {
                self.map = way.read(scope, "map", &fields).value?.plainText.flatMap { $0.isEmpty ? nil : $0 }
            }
        }
    }

    private static func half<Unit>(
        _ ways: [MappedNumber<Unit>], _ scope: MappingScope, _ fields: inout FieldReader
    ) -> Half {
        for way in ways {
            switch way.read(scope, "position", &fields) {
            case .absent: continue
            case .unknown: return .unknown
            case .value(let json):
                return .value(json, place: scope.pointer(to: way.value.sources.first { scope.value(of: $0) != nil }))
            }
        }
        return .missing(place: scope.pointer(to: ways.first?.value.sources.first))
    }
}

extension Coordinates.Half {
    var isMissing: Bool {
        if case .missing = self { true } else { false }
    }
}

extension Coordinates {
    /// What is no number is a fault before its other half has come.
    func check() throws(Rejection) {
        for half in [first, second] {
            if case .value(let json, let place) = half { _ = try PositionReader.number(json, at: place) }
        }
    }

    /// One coordinate without the other is a fault, and never one half of an older place.
    func read(acceptNullIsland: Bool) throws(Rejection) -> Reading<ReportedPosition> {
        switch (first, second) {
        case (.missing, .missing): return .absent
        case (.unknown, _), (_, .unknown): return .unknown
        case (.missing(let place), .value), (.value, .missing(let place)):
            throw Rejection(.missingPosition, at: place, "one coordinate without the other")
        case (.value(let first, let firstPlace), .value(let second, let secondPlace)):
            let places = (firstPlace, secondPlace)
            return isGeographic
                ? try PositionReader.degrees(
                    latitude: first, longitude: second, at: places, acceptNullIsland: acceptNullIsland)
                : try PositionReader.plan(x: first, y: second, map: map, at: places)
        }
    }
}
