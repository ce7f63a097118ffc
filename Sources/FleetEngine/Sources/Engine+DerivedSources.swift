internal import Locations

/// Sources that go by others.
extension Engine {
    private var derived: [any DerivedLocationSource] {
        registered.sorted { $0.key < $1.key }.compactMap { $0.value.source as? any DerivedLocationSource }
    }

    /// Shows the derived sources what there is.
    func surveyDerived() {
        let derived = derived
        guard !derived.isEmpty else { return }
        let all = everySource
        // Who goes by another derived source is told by that what its survey changes.
        for source in derived { source.survey(all, at: now) }
    }

    func make(_ entry: DerivedSourceConfiguration) {
        register(entry.make(at: now), pace: entry.pace, configuration: entry)
    }

    /// What became of derived sources by another configuration.
    struct DerivedChanges {
        var added: [DerivedSourceConfiguration] = []
        var changed: [Identifier] = []
        var removed: [Identifier] = []
    }

    /// Takes out those that are configured no more, and goes on with those that are. New ones are made once the sources that
    /// are fed by messages are those of the new configuration.
    func changeDerived(to entries: [DerivedSourceConfiguration]) -> DerivedChanges {
        var changes = DerivedChanges()
        for (id, known) in registered.sorted(by: { $0.key < $1.key }) {
            guard let old = known.configuration else { continue }
            guard let new = entries.first(where: { $0.id == id }) else {
                changes.removed.append(id)
                removeSource(id)
                continue
            }
            guard new != old else { continue }
            if new.kind != old.kind, !new.change(known.source, at: now) {
                removeSource(id)
                make(new)
            } else {
                (known.configuration, known.pace) = (new, new.pace)
                output.change(pace: new.pace, of: known.source)
            }
            changes.changed.append(id)
        }
        changes.added = entries.filter { registered[$0.id] == nil }
        return changes
    }

    /// Why ids of a new configuration cannot be.
    func conflicts(with new: EngineConfiguration) -> [String] {
        let own = registered.filter { $0.value.configuration == nil }
        let taken = (new.sources.map(\.id) + new.derived.map(\.id)).filter { own[$0] != nil }.map {
            "sources.\($0): there is a source of this id that no message feeds"
        }
        let templates = Set(new.sources.filter(\.isTemplate).map(\.id))
        return taken
            + new.derived.compactMap { entry in
                guard let known = sources[entry.id], templates.contains(known.entry) else { return nil }
                return "sources.\(entry.id): the template \"\(known.entry)\" has made a source of this id"
            }
    }
}
