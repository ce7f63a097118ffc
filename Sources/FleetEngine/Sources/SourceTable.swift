internal import Locations
internal import Timestamps

/// The sources: where messages go, which there are in which order, and when time has something to do for them.
struct SourceTable {
    /// Sources that templates may make, together with those that are configured.
    static let maximum = 1_000
    /// Bytes of an id from a topic at most, so that its own topics stay what MQTT allows, also percent-encoded.
    private static let maximumLength = 1_000

    /// As configured; a template makes any number of sources.
    private(set) var entries: [SourceConfiguration]
    /// Ids of sources that are none of these.
    var taken: Set<Identifier> = []
    /// In the order in which they came, so that every run does the same.
    private(set) var all: [ManagedSource] = []

    private var router: Router
    private var byID: [Identifier: ManagedSource] = [:]
    /// A queue rather than a look at each source: there may be many, and something happens often.
    private var agenda = Agenda<ManagedSource>()

    init(_ entries: [SourceConfiguration]) {
        self.entries = entries
        router = Router(entries)
    }

    subscript(id: Identifier) -> ManagedSource? { byID[id] }

    // MARK: Routing

    /// - Returns: `nil` for a topic that no source asked for.
    mutating func route(_ topicName: String) -> Router.Route? { router.route(topicName) }

    /// The source that a topic belongs to; made where the topic is its first.
    mutating func source(
        for route: Router.Route, at now: Instant
    ) throws(Rejection) -> (managed: ManagedSource, isNew: Bool) {
        let entry = entries[route.filter.entry]
        let id = Self.id(for: route, of: entry)
        if entry.isTemplate { try check(id, from: entry) }
        if let known = byID[id] {
            if known.isProvisional { known.change(to: entry, at: now) }
            return (known, false)
        }
        if entry.isTemplate, all.count >= Self.maximum {
            throw Rejection(.sourceLimit, "more than \(Self.maximum) sources")
        }
        return (add(id, entry, at: now), true)
    }

    /// Whether a template may make a source of this id, or goes on with it.
    private func check(_ id: Identifier, from template: SourceConfiguration) throws(Rejection) {
        guard id.text.utf8.count <= Self.maximumLength else {
            throw Rejection(.badSourceID, "an id of more than \(Self.maximumLength) bytes")
        }
        if id.text.isEmpty || EngineConfiguration.reservedSources.contains(id.text) {
            throw Rejection(.badSourceID, "no source can be called \"\(id)\"")
        }
        if taken.contains(id) { throw Rejection(.badSourceID, "\"\(id)\" is a source that no message feeds") }
        let known = byID[id].flatMap { $0.isProvisional ? nil : $0.entry }
        let owner = entries.first { !$0.isTemplate && $0.id == id }?.id ?? known
        if let owner, owner != template.id {
            throw Rejection(.badSourceID, "\"\(id)\" belongs to another entry of the configuration")
        }
    }

    private static func id(for route: Router.Route, of entry: SourceConfiguration) -> Identifier {
        entry.isTemplate ? route.names["source"].map { Identifier($0) } ?? entry.id : entry.id
    }

    // MARK: Filters

    /// A filter that is to be subscribed to.
    struct Wanted {
        var topicFilter: String
        var number: UInt32
        /// The entries that listen to it.
        var entries: Set<Identifier>
    }

    /// All of them but those that only stopped sources listen to, in the order of the configuration.
    var wantedFilters: [Wanted] {
        var wanted: [Wanted] = []
        var places: [UInt32: Int] = [:]
        for filter in router.filters.sorted(by: { $0.subscription < $1.subscription }) {
            let entry = entries[filter.entry]
            if !entry.isTemplate, byID[entry.id]?.isStopped == true { continue }
            if let place = places[filter.subscription] {
                wanted[place].entries.insert(entry.id)
            } else {
                places[filter.subscription] = wanted.count
                wanted.append(
                    Wanted(
                        topicFilter: filter.template.topicFilter, number: filter.subscription, entries: [entry.id]))
            }
        }
        return wanted
    }

    // MARK: Which there are

    /// The source of an id that an earlier process had.
    ///
    /// - Returns: `nil` where the configuration has none of this id, nor a template that can make one.
    mutating func restored(_ id: Identifier, at now: Instant) -> (managed: ManagedSource, isNew: Bool)? {
        if let known = byID[id] { return (known, false) }
        let templates = entries.filter(\.isTemplate)
        // Templates get their ids from one level of a topic.
        guard let template = templates.first, !id.text.utf8.contains(UInt8(ascii: "/")), all.count < Self.maximum,
            (try? check(id, from: template)) != nil
        else { return nil }
        let managed = add(id, template, at: now)
        managed.isProvisional = templates.count > 1
        return (managed, true)
    }

    /// The source of an entry's own id; made where there is none.
    mutating func source(of entry: SourceConfiguration, at now: Instant) -> ManagedSource {
        byID[entry.id] ?? add(entry.id, entry, at: now)
    }

    private mutating func add(_ id: Identifier, _ entry: SourceConfiguration, at now: Instant) -> ManagedSource {
        let managed = ManagedSource(entry, id: id, at: now)
        byID[id] = managed
        all.append(managed)
        return managed
    }

    // MARK: Another configuration

    /// What became of the sources.
    struct Changes {
        var added: [ManagedSource] = []
        var changed: [ManagedSource] = []
        /// Not in the table any more.
        var removed: [ManagedSource] = []
    }

    /// Goes on with other entries. Sources whose entry says the same are not touched.
    mutating func change(_ entries: [SourceConfiguration], at now: Instant) -> Changes {
        self.entries = entries
        router = Router(entries, after: router)
        var changes = Changes()
        for managed in all {
            let own = entries.first { !$0.isTemplate && $0.id == managed.source.id }
            guard let entry = own ?? entries.first(where: { $0.isTemplate && $0.id == managed.entry }) else {
                changes.removed.append(managed)
                continue
            }
            guard entry != managed.configuration else { continue }
            managed.change(to: entry, at: now)
            schedule(managed)
            changes.changed.append(managed)
        }
        for managed in changes.removed {
            byID[managed.source.id] = nil
            managed.scheduled = nil
        }
        all.removeAll { byID[$0.source.id] == nil }
        if !changes.removed.isEmpty { compact() }
        for entry in entries where !entry.isTemplate && byID[entry.id] == nil {
            changes.added.append(add(entry.id, entry, at: now))
        }
        return changes
    }

    // MARK: Time

    /// Entries that have been overtaken may come too early, never too late.
    var nextDeadline: Duration? { agenda.nextTime }

    /// Sees to it that time comes to a source, after something was done with it.
    mutating func schedule(_ managed: ManagedSource) {
        guard let deadline = managed.source.nextDeadline else { return }
        // An earlier entry will look again; only an earlier need must be added.
        if let scheduled = managed.scheduled, scheduled <= deadline { return }
        managed.scheduled = deadline
        agenda.add(managed, at: deadline)
        if agenda.count > 2 * all.count + 64 { compact() }
    }

    /// Entries of the agenda, outdated ones too: bounded by the number of sources.
    var waiting: Int { agenda.count }

    private mutating func compact() {
        var kept: Set<ObjectIdentifier> = []
        agenda.compact { managed, time in
            managed.scheduled == time && kept.insert(ObjectIdentifier(managed)).inserted
        }
    }

    /// Does for all sources what is due.
    mutating func advance(to now: Instant) {
        while let (time, managed) = agenda.popDue(at: now.monotonic) {
            guard managed.scheduled == time else { continue }
            managed.scheduled = nil
            managed.source.advance(to: now)
            schedule(managed)
        }
    }
}
