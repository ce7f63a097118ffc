internal import Locations
internal import SettingsFile
internal import Venues

/// The setting `match`.
enum MatchingKind: String, CaseIterable {
    case none, walkable, route
}

/// What positions of sources are held against. All sources of a kind share one matcher, which knows all plans.
struct PositionMatchers {
    private let venues: [Venue]
    /// A plan is missing that is to be there, which has been reported.
    private let isIncomplete: Bool
    private let matchings: [MatchingKind: PositionMatching]

    init(_ venues: [Venue], of buildings: [BuildingDraft], for sources: [SourceDraft]) {
        self.venues = venues
        isIncomplete = buildings.count { $0.venue != nil } > venues.count
        let kinds = Set(sources.compactMap(\.match?.value))
        matchings = Dictionary(
            uniqueKeysWithValues: kinds.compactMap { kind in
                kind.ground.map { (kind, PositionMatching(VenueMatcher(venues, $0))) }
            })
    }

    /// - Returns: `nil` where the source's positions count as they are.
    func matching(of source: SourceDraft, _ context: Context) -> PositionMatching? {
        guard let match = source.match, let matching = matchings[match.value] else { return nil }
        guard !isIncomplete else { return matching }
        let context = context.entering("match")
        let plans = match.value == .route ? venues.filter { !$0.routes.isEmpty } : venues
        let what = match.value == .route ? "plan with routes" : "plan"
        if plans.isEmpty {
            context.error(match.node, "there is no \(what) to match with: set the venue of a building")
        } else if let building = source.building,
            !plans.contains(where: { $0.building.hasSameBytes(as: building.value) })
        {
            context.warning(
                at: match.node.place,
                "the building \(building.node.quoted) has no \(what): positions in it stay as they are")
        }
        return matching
    }
}

extension MatchingKind {
    fileprivate var ground: VenueMatcher.Ground? {
        switch self {
        case .none: nil
        case .walkable: .walkable
        case .route: .route
        }
    }
}
