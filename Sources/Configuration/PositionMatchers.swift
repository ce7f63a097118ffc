internal import Locations
internal import SettingsFile
internal import Venues

/// What positions of sources are held against. All sources of a kind share one matcher, which knows all plans.
struct PositionMatchers {
    private let venues: [Venue]
    /// A plan is missing that is to be there, which has been reported.
    private let isIncomplete: Bool
    private let matchings: [VenueMatcher.Ground: PositionMatching]

    init(_ venues: [Venue], of buildings: [BuildingDraft], for sources: [SourceDraft]) {
        self.venues = venues
        isIncomplete = buildings.count { $0.venue != nil } > venues.count
        let kinds = Set(sources.compactMap { $0.match?.ground })
        matchings = Dictionary(
            uniqueKeysWithValues: kinds.map { ($0, PositionMatching(VenueMatcher(venues, $0))) })
    }

    /// - Returns: `nil` where the source's positions count as they are.
    func matching(of source: SourceDraft, _ context: Context) -> PositionMatching? {
        guard let match = source.match, let ground = match.ground, let matching = matchings[ground] else { return nil }
        guard !isIncomplete else { return matching }
        let context = context.entering("match")
        let plans = ground == .route ? venues.filter { !$0.routes.isEmpty } : venues
        let what = ground == .route ? "plan with routes" : "plan"
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
