internal import DisplayRules
internal import JSON
internal import Locations
internal import SettingsFile
internal import YAML

/// What is expected of a message or in the end of a test.
struct Expectations {
    enum End {
        case applied
        case ignored(reason: YAMLNode?)
        case rejected(YAMLNode)
    }

    var end: (value: End, node: YAMLNode)?
    /// Styled states by `source/location` as in the topic; `nil` for absent.
    var states: [(topic: String, state: YAMLNode?, place: YAMLPlace)] = []
    var sources: [(id: String, status: YAMLNode)] = []
    /// By `source/location`.
    var events: [(topic: String, events: YAMLNode)] = []

    /// Reads it; every fault is reported.
    ///
    /// - Parameter isFinal: At the end of a test, where no message's own fate is meant.
    init(_ node: YAMLNode, isFinal: Bool, _ context: Context) {
        guard let entries = node.mapping else {
            context.expected("a mapping such as {states: …}", node)
            return
        }
        let keys = ["states", "sources", "events"] + (isFinal ? [] : ["applied", "ignored", "rejected"])
        for entry in entries {
            let inner = context.entering(entry.key)
            let key = keys.first { $0.hasSameBytes(as: entry.key) }
            switch key {
            case "states":
                for state in Self.entries(entry.value, "styled states by source/location", inner) {
                    let isAbsent = state.value.scalar?.text == "absent"
                    if !isAbsent { state.value.checkState(inner.entering(state.key)) }
                    checkTopic(state, inner)
                    states.append((state.key, isAbsent ? nil : state.value, state.value.place))
                }
            case "sources":
                for source in Self.entries(entry.value, "source statuses by source", inner) {
                    sources.append((source.key, source.value))
                }
            case "events":
                for location in Self.entries(entry.value, "lists of events by source/location", inner) {
                    checkTopic(location, inner)
                    if location.value.sequence == nil { inner.expected("a list of events", location.value) }
                    events.append((location.key, location.value))
                }
            case "applied": setEnd(.applied, entry.value, context)
            case "ignored":
                setEnd(
                    .ignored(reason: entry.value.scalar?.coreValue == .bool(true) ? nil : entry.value), entry.value,
                    context)
            case "rejected": setEnd(.rejected(entry.value), entry.value, context)
            default:
                let hint = hint(entry.key, keys)
                context.error(
                    at: entry.keyPlace,
                    "unknown expectation \"\(entry.key)\""
                        + (hint.isEmpty ? "; known are \(keys.joined(separator: ", "))" : hint))
            }
        }
        node.checkJSON(context)
    }

    private mutating func setEnd(_ end: End, _ node: YAMLNode, _ context: Context) {
        if self.end != nil { context.error(node, "a message is either applied, ignored or rejected") }
        self.end = (end, node)
    }

    private func checkTopic(_ entry: YAMLEntry, _ context: Context) {
        guard entry.key.split(separator: "/", omittingEmptySubsequences: false).count != 2 else { return }
        context.error(at: entry.keyPlace, "\"\(entry.key)\" is not source/location, such as vacuums/vacuum3")
    }

    private static func entries(_ node: YAMLNode, _ what: String, _ context: Context) -> [YAMLEntry] {
        if node.mapping == nil { context.expected("a mapping of \(what)", node) }
        return node.mapping ?? []
    }
}

extension YAMLNode {
    /// Reports what JSON cannot hold.
    func checkJSON(_ context: Context) {
        _ = json { context.error(at: $0.place, $0.message) }
    }

    /// A misspelt key would be expected in vain, or with `~` always be right.
    func checkState(_ context: Context) {
        guard let entries = mapping else { return context.expected("fields of a styled state, or absent", self) }
        let keys =
            Location.readKeys.filter { !["lat", "lon", "room"].contains($0) } + [
                "display", "rawPosition", "room", "projected",
            ]
        for entry in entries {
            if !keys.contains(where: { $0.hasSameBytes(as: entry.key) }) {
                context.error(
                    at: entry.keyPlace, "a styled state has no field \"\(entry.key)\"\(hint(entry.key, keys))")
            } else if entry.key.hasSameBytes(as: "display") {
                entry.value.checkDisplay(context.entering("display"))
            }
        }
    }

    private func checkDisplay(_ context: Context) {
        guard let entries = mapping else {
            if !isNull { context.expected("a mapping of display properties", self) }
            return
        }
        for entry in entries where DisplayProperty.named(entry.key) == nil {
            let known = DisplayProperty.known.map(\.name)
            context.error(at: entry.keyPlace, "unknown display property \"\(entry.key)\"\(hint(entry.key, known))")
        }
    }
}
