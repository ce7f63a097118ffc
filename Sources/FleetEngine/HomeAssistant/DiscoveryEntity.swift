internal import JSON
internal import Locations

/// What Home Assistant shows of a location. The raw value stands in topics and ids, so it never changes.
enum DiscoveryEntity: String, CaseIterable {
    case tracker, battery, status

    /// What Home Assistant calls this kind of entity.
    var component: String { self == .tracker ? "device_tracker" : "sensor" }

    /// What is told of the entity alone.
    ///
    /// - Parameters:
    ///   - id: The location's.
    ///   - state: The topic of its state.
    func members(id: String, state: String) -> [(String, JSONValue)] {
        let uniqueID: [(String, JSONValue)] = [("unique_id", .string("\(id)__\(rawValue)"))]
        return switch self {
        case .tracker:
            uniqueID + [
                ("name", nil),  // the device's
                ("source_type", "gps"), ("json_attributes_topic", .string(state)),
                ("json_attributes_template", .string(Self.attributes)),
            ]
        case .battery:
            uniqueID + [
                ("name", "Battery"), ("device_class", "battery"), ("state_class", "measurement"),
                ("unit_of_measurement", "%"), ("state_topic", .string(state)),
                ("value_template", .string(Self.value(of: "charge", otherwise: "none"))),
            ]
        case .status:
            uniqueID + [
                ("name", "Status"), ("device_class", "enum"),
                ("options", .array(LocationStatus.allCases.map { .string($0.rawValue) })),
                ("state_topic", .string(state)),
                ("value_template", .string(Self.value(of: "status", otherwise: "'offline'"))),
            ]
        }
    }

    /// When the entity is available, as far as that depends on the location. Its status can be told as long as it exists;
    /// what it says itself counts while it is heard.
    var availability: String {
        let condition =
            self == .status ? "\(Self.document).status is defined" : "\(Self.document).status in ['live', 'lost']"
        return "{{ 'online' if \(condition) else 'offline' }}"
    }

    /// When the bridge is there, by its own status.
    static let bridgeAvailability = "{{ \(document).state | default('offline') }}"

    /// What has come, also where that is no JSON: the empty message when a location is removed.
    private static let document = "(value_json | default({}))"

    /// Home Assistant may still read the empty message of a location while it takes its entities down; whatever fails then goes
    /// to its log.
    private static func value(of key: String, otherwise value: String) -> String {
        "{{ value_json.\(key) if value_json is defined else \(value) }}"
    }

    /// Home Assistant takes the position from these attributes. Without one they must not be there; without an accuracy, it
    /// wants 0. Times are left out: each new one would be a new state in its history.
    private static let attributes =
        "{% set p = \(document).get('position') %}"
        + "{{ dict(\(document).items() | selectattr(0, 'in', "
        + "['building', 'floor', 'room', 'heading', 'speed', 'altitude']), "
        + "**({'latitude': p.lat, 'longitude': p.lon, 'gps_accuracy': value_json.accuracy | default(0)} if p else {}))"
        + " | tojson }}"
}
