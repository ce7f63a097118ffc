import Foundation
import JSON

/// What the bridge publishes, held against the schemas in docs/schemas by its topic.
public struct PublishedSchemas: Sendable {
    /// The shipped ones; the tests of the schemas say what is wrong where they cannot be read.
    public static let shipped = Result { try PublishedSchemas() }

    public let schemas: JSONSchemas

    public init() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "docs/schemas")
        var documents: [String: JSONValue] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where name.hasSuffix(".json") {
            documents[name] = try JSONParser().parse([UInt8](Data(contentsOf: folder.appending(path: name))))
        }
        schemas = try JSONSchemas(documents)
    }

    /// Says what is wrong with a payload that the bridge has published; nothing for a right one.
    public static func faults(
        of payload: [UInt8], on topicName: String, prefix: String = "fleet-bridge"
    ) -> [String] {
        guard let kind = Kind(topicName, prefix: prefix) else { return ["\(topicName): no schema is for this topic"] }
        if kind == .probe || kind.mayBeCleared && payload.isEmpty { return [] }
        do {
            let value = try JSONParser().parse(payload)
            let violations = try shipped.get().schemas.violations(of: value, against: kind.file)
            return violations.map { "\(topicName): \($0) (docs/schemas/\(kind.file))" }
        } catch {
            return ["\(topicName): \(error)"]
        }
    }

    /// What stands on a topic. The raw value is the schema's name.
    public enum Kind: String, CaseIterable, Sendable {
        case state, event
        case sourceStatus = "source-status"
        case geojson
        case bridgeStatus = "bridge-status"
        case stats, rejected
        case response
        /// Where it is told.
        case discovery
        /// What Home Assistant is told, below whatever prefix.
        case homeAssistant = "home-assistant"
        /// The bridge's word to itself, which nobody else reads.
        case probe

        public var file: String { "\(rawValue).schema.json" }

        /// Whether a message of zero length clears the topic.
        var mayBeCleared: Bool { [.state, .sourceStatus, .geojson, .discovery, .homeAssistant].contains(self) }

        /// - Returns: `nil` for a topic below the prefix on which nothing is published.
        public init?(_ topicName: String, prefix: String = "fleet-bridge") {
            if topicName.hasSuffix("/config") {
                self = .homeAssistant
                return
            }
            // Outside of the prefix is what somebody who asks has chosen as response topic.
            // By bytes: an id may begin with a mark that Swift would join to the slash before it.
            guard topicName.utf8.starts(with: "\(prefix)/".utf8) else {
                self = .response
                return
            }
            let levels = topicName.utf8.dropFirst(prefix.utf8.count + 1).split(
                separator: UInt8(ascii: "/"), omittingEmptySubsequences: false
            ).map { Substring($0) }
            switch (levels.count, levels[0], levels.last) {
            case (1, "status", _): self = .bridgeStatus
            case (1, "stats", _): self = .stats
            case (1, "discovery", _): self = .discovery
            case (1, "rejected", _): self = .rejected
            case (2..., "response", _): self = .response
            case (2, "probe", _): self = .probe
            case (2, _, "status"): self = .sourceStatus
            case (3, _, "state"): self = .state
            case (3, _, "event"): self = .event
            case (3, _, _) where levels[1] == "geojson" && Int(levels[2]) != nil: self = .geojson
            default: return nil
            }
        }
    }
}
