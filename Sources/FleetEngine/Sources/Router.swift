internal import Locations
internal import MQTTModel

/// Finds the one source that a message belongs to: that of the most specific filter.
struct Router {
    /// A filter of a source's entry.
    struct Filter {
        let template: TopicTemplate
        /// Index into the configured sources.
        let entry: Int
        /// The subscription's identifier: equal for templates that are the same filter on the wire.
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

    private var cache: [Identifier: Route] = [:]
    /// The identifiers given so far, by wire filter: a broker may go on using them for a while.
    private let numbers: [Identifier: UInt32]

    /// - Parameter earlier: What routed before: equal filters keep their subscription's identifier.
    init(_ sources: [SourceConfiguration], after earlier: Router? = nil) {
        var filters: [Filter] = []
        var numbers = earlier?.numbers ?? [:]
        for (entry, source) in sources.enumerated() {
            for template in source.topics {
                let wire = Identifier(template.topicFilter)
                let number = numbers[wire] ?? UInt32(numbers.count + 1)
                numbers[wire] = number
                filters.append(Filter(template: template, entry: entry, subscription: number))
            }
        }
        // A stable order: equally specific filters of one source keep the order in which they were written.
        self.filters = filters.enumerated().sorted { a, b in
            let specificity = a.element.template.specificity(comparedWith: b.element.template)
            return specificity == 0 ? a.offset < b.offset : specificity > 0
        }.map(\.element)
        self.numbers = numbers
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
