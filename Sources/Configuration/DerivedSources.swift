internal import FleetEngine
internal import Locations
internal import RoomAvailability
internal import SettingsFile
internal import Venues
internal import YAML

/// Sources that go by others: held against these, and against the plans.
struct DerivedSources {
    let sources: [SourceDraft]
    let own: [OwnSource]
    let names: SourceNames
    let buildings: [BuildingDraft]
    let venues: [Venue]
    let context: Context

    func configurations() -> [DerivedSourceConfiguration] {
        sources.compactMap { source in
            guard let draft = source.rooms else { return nil }
            let context = context.entering("sources").entering(source.id)
            checkNames(draft, of: source, context)
            guard let (rooms, finder) = rooms(draft, context) else { return nil }
            var settings = draft.settings
            // Who else may be named finds rooms by itself.
            if !own.isEmpty { settings.finder = finder }
            return DerivedSourceConfiguration(
                id: Identifier(source.id), kind: .roomAvailability(rooms, settings), pace: draft.pace)
        }
    }

    private func checkNames(_ draft: RoomAvailabilityDraft, of source: SourceDraft, _ context: Context) {
        for (key, wanted) in [("observes", draft.observes), ("occupancy", draft.occupancy)] {
            let context = context.entering(key)
            for name in wanted {
                if let fault = names.fault(of: name, besides: source.id) {
                    context.error(name.node, fault)
                } else if let way = way(from: name.value, to: source.id) {
                    context.error(
                        name.node,
                        "a source cannot observe itself: "
                            + ([source.id] + way).map { "\"\($0)\"" }.joined(separator: " observes "))
                }
            }
        }
        for name in draft.occupancy where draft.observes.contains(where: { $0.value.hasSameBytes(as: name.value) }) {
            context.entering("occupancy").error(
                name.node, "\(name.node.quoted) is in `observes`, too: its locations are in rooms, or sensors of them")
        }
    }

    /// How a source comes to go by another one, both included; `nil` where it does not.
    private func way(from id: String, to goal: String) -> [String]? {
        var seen: Set<Identifier> = []
        func search(_ id: String) -> [String]? {
            if id.hasSameBytes(as: goal) { return [id] }
            guard seen.insert(Identifier(id)).inserted else { return nil }
            for next in observed(by: id) {
                if let way = search(next) { return [id] + way }
            }
            return nil
        }
        return search(id)
    }

    private func observed(by id: String) -> [String] {
        if let rooms = sources.first(where: { $0.id.hasSameBytes(as: id) })?.rooms {
            return rooms.sources.map(\.value)
        }
        return own.first { $0.id.text.hasSameBytes(as: id) }?.observes.sorted().map(\.text) ?? []
    }

    private func rooms(_ draft: RoomAvailabilityDraft, _ context: Context) -> ([Room], SiteAreas)? {
        guard let building = draft.building else { return nil }
        let inner = context.entering("building")
        guard let known = buildings.first(where: { $0.name.hasSameBytes(as: building.value) }) else {
            inner.error(
                building.node,
                "there is no building \(building.node.quoted)\(hint(building.value, buildings.map(\.name)))")
            return nil
        }
        guard known.venue != nil else {
            inner.error(building.node, "\(building.node.quoted) has no `venue`, so its rooms are not known")
            return nil
        }
        // What is wrong with the plan has been reported.
        guard let venue = venues.first(where: { $0.building.hasSameBytes(as: building.value) }) else { return nil }
        let categories = Array(Set(venue.units.compactMap(\.category))).sorted()
        for name in draft.categories ?? [] where !categories.contains(name.value) {
            context.entering("categories").warning(
                at: name.node.place,
                "no unit of the plan has the category \(name.node.quoted)"
                    + hint(name.value, categories))
        }
        let rooms = Room.rooms(of: venue, categories: draft.categories.map { Set($0.map(\.value)) })
        if rooms.isEmpty { inner.warning(at: building.node.place, "no unit of the plan is a room") }
        return (rooms, SiteAreas(venues: [venue]))
    }
}
