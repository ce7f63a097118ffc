internal import MQTTModel
internal import SettingsFile
internal import YAML

/// Holds the filters of all sources against each other and against what the bridge publishes.
struct FilterChecks {
    let prefix: String
    let prefixPlace: YAMLPlace
    let clientIdentifier: String
    let homeAssistant: HomeAssistantDraft?
    let context: Context

    func check(_ sources: [SourceDraft]) {
        checkTemplates(sources)
        checkTies(sources)
        checkOwnTopics(sources)
        checkDiscovery(sources)
    }

    /// A template has no source for what comes by a filter without `{source}`.
    private func checkTemplates(_ sources: [SourceDraft]) {
        for source in sources where source.configuration.isTemplate {
            for topic in source.topics where !topic.value.names.contains("source") {
                error(
                    topic.node, source,
                    "\"\(topic.value)\" names no {source}, which other filters of this entry do: it would belong to none"
                )
            }
        }
    }

    /// Two filters that overlap and are equally specific are the same filter on the wire.
    private func checkTies(_ sources: [SourceDraft]) {
        var first: [[UInt8]: (source: SourceDraft, node: YAMLNode)] = [:]
        for source in sources {
            for topic in source.topics {
                let wire = Array(topic.value.topicFilter.utf8)
                guard let other = first[wire] else {
                    first[wire] = (source, topic.node)
                    continue
                }
                let same = other.source.id.utf8.elementsEqual(source.id.utf8)
                error(
                    topic.node, source,
                    "\"\(topic.value)\" is as specific as \(other.node.quoted) "
                        + (same ? "of the same source" : "of source \"\(other.source.id)\"")
                        + (other.node.place == .request || other.source.isBuiltIn ? "" : " at \(other.node.place)")
                        + ": each message goes to one filter")
            }
        }
    }

    private func checkOwnTopics(_ sources: [SourceDraft]) {
        let own = ownTopics
        for source in sources {
            for topic in source.topics {
                if let hit = own.first(where: { $0.overlaps(topic.value) }) {
                    error(
                        topic.node, source,
                        "\"\(topic.value)\" matches the bridge's own topics below \"\(prefix)\", such as "
                            + "\(hit.topicFilter); expected a filter that leaves them out, or another topics.prefix")
                } else if isBelowPrefix(topic.value) {
                    error(
                        topic.node, source,
                        "\"\(topic.value)\" stands below \"\(prefix)\", where all topics are the bridge's own;"
                            + " expected a filter outside of it, or another topics.prefix")
                }
            }
        }
    }

    /// What Home Assistant is told must not come back as telemetry, nor stand where the bridge's own topics are.
    private func checkDiscovery(_ sources: [SourceDraft]) {
        guard let homeAssistant else { return }
        let discoveryPrefix = homeAssistant.settings.discoveryPrefix
        if let template = try? TopicTemplate(discoveryPrefix), isBelowPrefix(template) {
            context.entering("homeAssistant").entering("discoveryPrefix").error(
                at: homeAssistant.prefixPlace,
                "\"\(discoveryPrefix)\" stands below \"\(prefix)\", where all topics are the bridge's own; expected"
                    + " the prefix of Home Assistant's MQTT settings, usually homeassistant, or another topics.prefix")
        }
        let topics = homeAssistant.settings.topicFilters.compactMap { try? TopicTemplate($0) }
        for source in sources {
            for topic in source.topics {
                guard let hit = topics.first(where: { $0.overlaps(topic.value) }) else { continue }
                error(
                    topic.node, source,
                    "\"\(topic.value)\" matches what is said to and by Home Assistant, such as \(hit.topicFilter); expected"
                        + " a filter that leaves it out, or another homeAssistant.discoveryPrefix")
            }
        }
    }

    private func isBelowPrefix(_ template: TopicTemplate) -> Bool {
        let levels = prefix.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        return template.levels.count >= levels.count
            && zip(template.levels, levels).allSatisfy { level, text in
                if case .literal(let literal) = level { literal.utf8.elementsEqual(text.utf8) } else { false }
            }
    }

    /// Everything that is published, and the requests that are listened to.
    private var ownTopics: [TopicTemplate] {
        let requests = ["locations/+", "sources/+", "config/reload", "explain"]
        let topics =
            [
                "status", "stats", "rejected", "discovery", "+/status", "+/+/state", "+/+/event", "+/geojson/+",
                "probe/\(clientIdentifier)",
            ]
            + requests.flatMap { ["request/\($0)", "response/\($0)"] }
        // A client identifier with special characters is encoded on its topic, which then is no everyday name.
        return topics.compactMap { try? TopicTemplate("\(prefix)/\($0)") }
    }

    private func error(_ node: YAMLNode, _ source: SourceDraft, _ message: String) {
        if source.isBuiltIn {
            context.error(at: prefixPlace, "the built-in filter \(message)")
        } else {
            context.entering("sources").entering(source.id).entering("topics").error(node, message)
        }
    }
}
