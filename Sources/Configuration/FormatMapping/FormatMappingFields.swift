internal import JSON
internal import MQTTModel
internal import SettingsFile
internal import TelemetryFormats
internal import YAML

/// Reads the setting `mapping`.
enum FormatMappingFields {
    private struct Draft {
        var common = MessageMapping()
        var messages: [(value: MessageMapping, node: YAMLNode)]?
    }

    private static var message: Mapping<MessageMapping> {
        Mapping(fields: MessageFields.selection + MessageFields.contents)
    }

    /// What stands directly in it holds for all its messages; without any, it is the one message.
    private static var mapping: Mapping<Draft> {
        let common = MessageFields.contents.map { Field($0, of: \Draft.common) }
        let message = ValueKind<MessageMapping>.mapping(message, startingWith: MessageMapping())
        return Mapping(
            fields: common + [
                Field(
                    "messages", .list(of: message, atLeast: 1),
                    "The kinds of messages; each is read by the first it fits."
                ) { draft, messages, _ in draft.messages = messages }
            ])
    }

    static var schema: JSONValue { mapping.schema }

    /// - Parameter names: The levels that the source's topics name.
    static func read(_ node: YAMLNode, names: Set<String>, _ context: Context) -> FormatMapping? {
        guard node.mapping != nil else {
            context.expected("a mapping such as {position: {lat: /lat, lon: /lon}, time: /ts}", node)
            return nil
        }
        var context = context
        context.levelNames = names.union(levelNames(in: node)).union(["device", "source", "key"])
        var draft = Draft()
        mapping.read(node, into: &draft, context)
        let messages = draft.messages ?? [(draft.common, node)]
        let mapping = FormatMapping(messages.map(\.value), common: draft.common)
        for (index, message) in mapping.messages.enumerated() {
            let inner = draft.messages == nil ? context : context.entering("messages").entering(index)
            check(message, written: messages[index].value, messages[index].node, common: node, inner)
            if let other = mapping.messages[..<index].firstIndex(where: { $0.takesAll(of: message) }) {
                inner.error(messages[index].node, "no message comes here: messages[\(other)] takes them all")
            }
        }
        return mapping
    }

    /// The levels that its messages' topics name.
    private static func levelNames(in node: YAMLNode) -> Set<String> {
        let messages = node.mapping?.first { $0.key == "messages" }?.value.sequence ?? []
        let topics = messages.compactMap { message in message.mapping?.first { $0.key == "topic" }?.value }
        let texts = topics.flatMap { ($0.sequence ?? [$0]).compactMap { $0.scalar?.text } }
        return texts.reduce(into: []) { names, text in names.formUnion((try? TopicTemplate(text))?.names ?? []) }
    }

    /// - Parameters:
    ///   - written: The message without what it shares with others, as in `node`.
    ///   - common: What it shares.
    private static func check(
        _ message: MessageMapping, written: MessageMapping, _ node: YAMLNode, common: YAMLNode, _ context: Context
    ) {
        func place(_ key: String) -> YAMLPlace { node.mapping?.first { $0.key == key }?.keyPlace ?? node.place }
        // By what is written: a field with a fault has been told already.
        func says(_ node: YAMLNode) -> Bool {
            node.mapping?.contains { MessageFields.saying.contains($0.key) } ?? false
        }
        if !(node.mapping?.contains { $0.key == "ignore" } ?? false) {
            if !says(node), !says(common) {
                context.error(
                    node, "says nothing of a device; expected a position, a state or another field, or ignore")
            }
            if !message.isAlive { context.error(at: place("alive"), "\"alive\" says nothing without \"ignore\"") }
        } else if says(node) {
            context.error(at: place("ignore"), "an ignored message is not read; expected either ignore or fields")
        }
        if message.payload == .text, let inside = written.pointers.first(where: { !$0.text.isEmpty }) {
            context.error(
                at: place("payload"),
                "in a text there is no \(inside.text); expected \"\" for the whole of it, with split for a part")
        }
    }
}

extension MessageMapping {
    /// Whether no message of another kind is left.
    fileprivate func takesAll(of other: MessageMapping) -> Bool {
        isDecidedByTopic && (topics.isEmpty || !other.topics.isEmpty && other.topics.allSatisfy(topics.contains))
    }
}
