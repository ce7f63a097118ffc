import JSON

/// Where a format's JSON has what a fault can spoil. Paths lead through objects by key and through lists by number.
struct PayloadFields: Sendable {
    var coordinates: [[String]]
    var floor: [String]?
    /// What makes of the right number one in a unit that somebody could have taken for it.
    var otherUnit = 1e7

    /// `nil` for formats that are no JSON: there such faults are impossible.
    static func of(_ format: String) -> PayloadFields? {
        switch format {
        case "native": PayloadFields(coordinates: [["lat"], ["lon"]], floor: ["floor"])
        case "owntracks": PayloadFields(coordinates: [["lat"], ["lon"]])
        case "homeassistant": PayloadFields(coordinates: [["latitude"], ["longitude"]])
        case "traccar": PayloadFields(coordinates: [["position", "latitude"], ["position", "longitude"]])
        case "geojson":
            PayloadFields(coordinates: [["geometry", "coordinates", "1"], ["geometry", "coordinates", "0"]])
        // The other way round: whole degrees where 1e-7 degrees are meant.
        case "meshtastic":
            PayloadFields(coordinates: [["payload", "latitude_i"], ["payload", "longitude_i"]], otherUnit: 1e-7)
        // Millimetres.
        case "vda5050": PayloadFields(coordinates: [["agvPosition", "x"], ["agvPosition", "y"]], otherUnit: 1_000)
        case "roomba":
            PayloadFields(
                coordinates: ["x", "y"].map { ["state", "reported", "pose", "point", $0] }, otherUnit: 10)
        default: nil
        }
    }

    func allows(_ kind: FaultKind) -> Bool { kind != .missingFloor || floor != nil }
}

extension JSONValue {
    /// Changes what a path leads to; `nil` removes a member.
    ///
    /// - Returns: Whether there is such a place.
    mutating func change(at path: ArraySlice<String>, _ transform: (JSONValue) -> JSONValue?) -> Bool {
        guard let key = path.first else { return false }
        let rest = path.dropFirst()
        switch self {
        case .object(var object):
            guard var value = object[key] else { return false }
            if rest.isEmpty {
                object[key] = transform(value)
            } else {
                guard value.change(at: rest, transform) else { return false }
                object[key] = value
            }
            self = .object(object)
        case .array(var elements):
            guard let index = Int(key), elements.indices.contains(index) else { return false }
            if rest.isEmpty {
                elements[index] = transform(elements[index]) ?? .null
            } else if !elements[index].change(at: rest, transform) {
                return false
            }
            self = .array(elements)
        default: return false
        }
        return true
    }
}
