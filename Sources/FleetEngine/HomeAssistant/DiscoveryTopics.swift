internal import Locations
internal import MQTTModel

/// The topics on which Home Assistant looks for what it is told of.
struct DiscoveryTopics {
    let prefix: String
    /// What the ids of this bridge begin with, and those of no other one: its own prefix.
    private let start: String

    init(prefix: String, bridge: OutputTopics) {
        self.prefix = prefix
        start = "\(Self.encode(bridge.prefix))__"
    }

    /// Whether topics can stand below a prefix: only levels without wildcards.
    static func isPossible(prefix: String) -> Bool {
        guard !prefix.utf8.starts(with: "$".utf8), let template = try? TopicTemplate("\(prefix)/status") else {
            return false
        }
        return template.levels.allSatisfy { if case .literal(let text) = $0 { !text.isEmpty } else { false } }
    }

    /// Where Home Assistant says that it has started: by default below `homeassistant`, whatever the prefix is.
    static func births(below prefix: String) -> [String] {
        let usual = "homeassistant/status"
        return prefix.hasSameBytes(as: "homeassistant") ? [usual] : [usual, "\(prefix)/status"]
    }

    /// The id of a location at Home Assistant: of letters, digits, `_` and `-`, and of no other location of any bridge. Two
    /// underscores stand between the parts and nowhere else.
    func id(of location: Identifier, source: Identifier) -> String {
        "\(start)\(Self.encode(source.text))__\(Self.encode(location.text))"
    }

    /// Everything but letters, digits and `-` becomes `_` and two hexadecimal digits a byte.
    private static func encode(_ text: String) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
                bytes.append(byte)
            default:
                let digits = String(byte, radix: 16, uppercase: true).utf8
                bytes += [UInt8(ascii: "_")] + (digits.count == 1 ? [UInt8(ascii: "0")] : []) + digits
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// - Parameter entity: `nil`: of the whole device.
    func config(_ id: String, _ entity: DiscoveryEntity?) -> String {
        guard let entity else { return "\(prefix)/device/\(id)/config" }
        return "\(prefix)/\(entity.component)/\(id)/\(entity.rawValue)/config"
    }

    /// What of this bridge may stand there, and of others.
    static func filters(below prefix: String) -> [String] {
        ["\(prefix)/device/+/config"]
            + DiscoveryEntity.allCases.map { "\(prefix)/\($0.component)/+/\($0.rawValue)/config" }
    }

    /// Of whom, and of which bridge, a topic tells.
    struct Subject {
        /// As ``id(of:source:)`` makes it.
        let id: String
        let isOwn: Bool
    }

    /// - Returns: `nil` for a topic that none of ``filters(below:)`` matches.
    func subject(of topicName: String) -> Subject? {
        guard topicName.utf8.starts(with: "\(prefix)/".utf8) else { return nil }
        let levels = topicName.utf8.dropFirst(prefix.utf8.count + 1).split(
            separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard (3...4).contains(levels.count), levels[levels.count - 1].elementsEqual("config".utf8) else { return nil }
        let entity = DiscoveryEntity.allCases.first { $0.rawValue.utf8.elementsEqual(levels[2]) }
        let kind = levels.count == 3 ? "device" : entity?.component
        guard let kind, levels[0].elementsEqual(kind.utf8) else { return nil }
        return Subject(id: String(levels[1]) ?? "", isOwn: levels[1].starts(with: start.utf8))
    }
}
