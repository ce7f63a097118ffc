internal import Locations
internal import MQTTModel

/// Finds the one source that a message belongs to: that of the most specific filter.
struct Router {
    /// A filter of a source's entry.
    struct Filter {
        let template: TopicTemplate
        /// Index into the configured sources.
        let entry: Int
        /// Equal for templates that are the same filter on the wire.
        let subscription: UInt32
    }

    /// Where the messages of one topic go.
    final class Route {
        let filter: Filter
        let topic: TopicLevels
        let names: TopicNames
        /// Kept by the engine once it is known.
        var source: ManagedSource?
        /// The connection, by number, on which a stored copy of the topic was read last.
        var storedCopyRead = 0

        init(filter: Filter, topic: TopicLevels, names: TopicNames) {
            (self.filter, self.topic, self.names) = (filter, topic, names)
        }
    }

    /// Known topics that are remembered; beyond, they are matched again.
    private static let cacheLimit = 65_536
    /// Bytes of a topic that is remembered.
    private static let cachedLength = 512

    /// Most specific first.
    let filters: [Filter]
    /// Wire filters by subscription identifier − 1.
    let topicFilters: [String]

    private var cache: [Identifier: Route] = [:]

    init(_ sources: [SourceConfiguration]) {
        var filters: [Filter] = []
        var topicFilters: [String] = []
        for (entry, source) in sources.enumerated() {
            for template in source.topics {
                let wire = template.topicFilter
                let index = topicFilters.firstIndex { $0.utf8.elementsEqual(wire.utf8) } ?? topicFilters.count
                if index == topicFilters.count { topicFilters.append(wire) }
                filters.append(Filter(template: template, entry: entry, subscription: UInt32(index + 1)))
            }
        }
        // A stable order: equally specific filters of one source keep the order in which they were written.
        self.filters = filters.enumerated().sorted { a, b in
            let specificity = a.element.template.specificity(comparedWith: b.element.template)
            return specificity == 0 ? a.offset < b.offset : specificity > 0
        }.map(\.element)
        self.topicFilters = topicFilters
    }

    /// - Returns: `nil` for a topic that no source asked for.
    mutating func route(_ topicName: String) -> Route? {
        let key = Identifier(topicName)
        if let known = cache[key] { return known }
        let topic = TopicLevels(topicName)
        for filter in filters {
            guard let names = filter.template.match(topic) else { continue }
            let route = Route(filter: filter, topic: topic, names: names)
            guard topicName.utf8.count <= Self.cachedLength else { return route }
            if cache.count >= Self.cacheLimit { cache.removeAll(keepingCapacity: true) }
            cache[key] = route
            return route
        }
        return nil
    }
}
