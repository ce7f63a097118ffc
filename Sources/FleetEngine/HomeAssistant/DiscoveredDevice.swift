internal import JSON
internal import Locations

/// A location as Home Assistant is told of it.
final class DiscoveredDevice {
    /// Characters of a name at most: of a long one, Home Assistant may make an entity id that it does not take itself.
    private static let maximumName = 100

    private let name: String
    private let type: String?
    private let id: String
    private let state: String
    private let discovery: HomeAssistantDiscovery

    init(_ location: Location, state: String, _ discovery: HomeAssistantDiscovery) {
        (name, type) = (Self.name(of: location), location.type)
        id = discovery.topics.id(of: location.id, source: location.source)
        (self.state, self.discovery) = (state, discovery)
    }

    private static func name(of location: Location) -> String {
        let name = location.displayName
        return name.utf8.count <= maximumName ? name : String(name.prefix(maximumName))
    }

    /// Whether nothing else would be told of the location now.
    func isTold(as location: Location) -> Bool {
        guard name.hasSameBytes(as: Self.name(of: location)) else { return false }
        return switch (type, location.type) {
        case (nil, nil): true
        case (let known?, let type?): known.hasSameBytes(as: type)
        default: false
        }
    }

    var messages: [DiscoveryMessage] {
        switch discovery.settings.discovery {
        case .device: [message(nil)]
        case .entity: DiscoveryEntity.allCases.map { message($0) }
        }
    }

    private func message(_ entity: DiscoveryEntity?) -> DiscoveryMessage {
        DiscoveryMessage(topicName: discovery.topics.config(id, entity), content: .config(self, entity))
    }

    // MARK: Documents

    /// - Parameter entity: `nil`: all of them.
    func document(_ entity: DiscoveryEntity?) -> JSONValue {
        guard let entity else {
            // What is said of all holds where an entity says nothing of its own.
            let components = DiscoveryEntity.allCases.map { entity in
                let own = entity == .status ? availability(of: entity) : []
                let members: [(String, JSONValue)] = [("platform", .string(entity.component))]
                return (
                    entity.rawValue, JSONValue.object(JSONObject(members + entity.members(id: id, state: state) + own))
                )
            }
            return .object(
                JSONObject(common + availability(of: .tracker) + [("components", .object(JSONObject(components)))]))
        }
        return .object(JSONObject(entity.members(id: id, state: state) + availability(of: entity) + common))
    }

    private var common: [(String, JSONValue)] {
        var device: [(String, JSONValue)] = [("identifiers", [.string(id)]), ("name", .string(name))]
        if let type { device.append(("model", .string(type))) }
        return [
            ("device", .object(JSONObject(device))),
            ("origin", ["name": .string(HomeAssistantDiscovery.origin), "sw_version": .string(discovery.version)]),
        ]
    }

    private func availability(of entity: DiscoveryEntity) -> [(String, JSONValue)] {
        [
            (
                "availability",
                [
                    [
                        "topic": .string(discovery.bridgeStatus),
                        "value_template": .string(DiscoveryEntity.bridgeAvailability),
                    ],
                    ["topic": .string(state), "value_template": .string(entity.availability)],
                ]
            ), ("availability_mode", "all"),
        ]
    }
}

/// One retained message for Home Assistant. It is written only when its turn comes.
struct DiscoveryMessage {
    enum Content {
        /// All entities of a location; or one.
        case config(DiscoveredDevice, DiscoveryEntity?)
        /// Home Assistant lets go of what it was told on the topic, and is told of it on others next.
        case migration
    }

    /// Nothing may stand beside it.
    static let migration: JSONValue = ["migrate_discovery": true]

    let topicName: String
    let content: Content

    func write(to writer: inout JSONWriter) {
        switch content {
        case .config(let device, let entity): writer.value(device.document(entity))
        case .migration: writer.value(Self.migration)
        }
    }

    /// Whether this was said already.
    func isSame(as payload: [UInt8]) -> Bool {
        var writer = JSONWriter()
        write(to: &writer)
        return writer.bytes == payload
    }
}
