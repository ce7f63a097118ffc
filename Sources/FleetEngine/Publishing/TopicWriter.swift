internal import DisplayRules
internal import Geometry
internal import JSON
internal import Locations

/// What stands on a topic, as bytes: states with what the rules make of them, snapshots' chunks, statuses.
struct TopicWriter: ~Copyable {
    /// Combinations of rules that are kept at most.
    private static let maximumCascades = 1_000

    /// Outcomes of rules that failed, by rule and property, for counting and the log.
    private(set) var ruleErrors: [RuleError] = []
    private(set) var bandChanges: [(stateTopic: String, change: BandChange)] = []
    private(set) var oversized: [(topicName: String, bytes: Int)] = []

    /// Positions that the map's own coordinate system has no place for, counted once each; the last one's topic.
    private(set) var unprojected: (count: Int, topicName: String)?

    private var rules: DisplayRuleSet
    /// The map's own; `nil`: degrees are enough.
    private var coordinateSystem: (any CoordinateSystem)?
    /// By the numbers of the rules.
    private var cascades: [[Int]: Cascade] = [:]
    private var writer = JSONWriter()

    init(rules: DisplayRuleSet, coordinateSystem: (any CoordinateSystem)?) {
        (self.rules, self.coordinateSystem) = (rules, coordinateSystem)
    }

    /// Whether one of the rules looks back.
    var needsMemory: Bool { rules.needsMemory }

    /// From now on goes by other rules.
    mutating func change(rules: DisplayRuleSet) {
        self.rules = rules
        cascades.removeAll()
    }

    /// From now on positions are told in another system, too; what topics keep of the one before does not count.
    mutating func change(coordinateSystem: (any CoordinateSystem)?) { self.coordinateSystem = coordinateSystem }

    // MARK: Writing

    /// Writes what is to stand on a topic.
    ///
    /// - Parameter limit: Bytes at most. What cannot be made as small is written all the same, and noted.
    /// - Returns: Where the value of `time` stands, and whether the limit is kept.
    mutating func write(_ topic: OutgoingTopic, atMost limit: Int) -> (time: Range<Int>, fits: Bool) {
        var time = 0..<0
        writer.reset()
        switch topic.content {
        case .state(let update): time = write(update, topic, atMost: limit)
        case .status(let unowned): time = SourceStatusDocument.write(unowned.source, to: &writer)
        case .document(let bytes): writer.raw(bytes)
        case .chunk(let snapshot, let chunk): write(snapshot, chunk, of: topic, atMost: limit)
        case .discovery(let message): message.write(to: &writer)
        case .cleared: break
        }
        let fits = writer.count <= limit
        if !fits { oversized.append((topic.topicName, writer.count)) }
        return (time, fits)
    }

    /// What was written last, copied.
    var bytes: [UInt8] { writer.bytes }

    /// Whether what was written last says anything on the topic that was not said, apart from the time.
    func isNews(on topic: OutgoingTopic, time: Range<Int>) -> Bool {
        writer.withBytes { topic.isNews($0, time: time) }
    }

    /// Whether what was written last is the same as this, byte for byte.
    func isSame(as payload: [UInt8]) -> Bool { writer.withBytes { $0.elementsEqual(payload) } }

    private mutating func write(_ update: LocationUpdate, _ topic: OutgoingTopic, atMost limit: Int) -> Range<Int> {
        let style = style(of: topic, update.location)
        for change in style.follow(&topic.bands, of: update.location) {
            bandChanges.append((topic.topicName, change))
        }
        let projected = projected(update.location, on: topic)
        let (time, oversized) = Self.write(update.location, style, projected, atMost: limit, to: &writer)
        if let oversized, writer.count <= limit { self.oversized.append((topic.topicName, oversized)) }
        return time
    }

    /// Writes a location's state. Without room enough it goes without what its device says beside, then also without its name
    /// and how it is drawn: where it is and whether it lives matters more, for else an old state would stand there.
    ///
    /// - Returns: Where the value of `time` stands, and the bytes of all of it where something is left out.
    private static func write(
        _ location: Location, _ style: LocationStyle, _ projected: ProjectedPosition?, atMost limit: Int,
        to writer: inout JSONWriter
    ) -> (time: Range<Int>, oversized: Int?) {
        let time = style.write(location, projected, to: &writer)
        let bytes = writer.count
        guard bytes > limit else { return (time, nil) }
        var location = location
        location.properties = JSONObject()
        writer.reset()
        let shorter = style.write(location, projected, to: &writer)
        guard writer.count > limit else { return (shorter, bytes) }
        (location.name, location.type, location.geometry) = (nil, nil, nil)
        writer.reset()
        let state = StyledState(location: location, display: Display(), projected: projected)
        return (state.write(to: &writer), bytes)
    }

    /// Where a topic's location is in the map's own coordinate system, worked out when its position is another one.
    private mutating func projected(_ location: Location, on topic: OutgoingTopic) -> ProjectedPosition? {
        guard let place = place(of: location, on: topic) else { return nil }
        if place !== topic.projected {
            topic.projected = place
            if place.projected == nil { unprojected = ((unprojected?.count ?? 0) + 1, topic.topicName) }
        }
        return place.projected
    }

    /// What the topic keeps, where that is of the location's position.
    private func place(of location: Location, on topic: OutgoingTopic) -> ProjectedPlace? {
        guard let coordinateSystem, let position = location.position else { return nil }
        if let known = topic.projected, known.position == position { return known }
        return ProjectedPlace(position, by: coordinateSystem)
    }

    /// How the location of a topic is drawn now.
    private mutating func style(of topic: OutgoingTopic, _ location: Location) -> LocationStyle {
        let cascade = cascade(of: topic, location)
        if let style = topic.style {
            style.update(location, by: cascade, memory: topic.ruleMemory, errors: &ruleErrors)
            return style
        }
        let style = LocationStyle(of: location, by: cascade, memory: topic.ruleMemory, errors: &ruleErrors)
        topic.style = style
        return style
    }

    /// A location's state as it would be sent now; `nil` for other topics.
    ///
    /// - Parameter limit: Bytes at most, as far as something can be left out.
    mutating func state(on topic: OutgoingTopic, atMost limit: Int) -> [UInt8]? {
        guard case .state(let update) = topic.content else { return nil }
        var errors: [RuleError] = []  // counted where it is sent
        let style = LocationStyle(
            of: update.location, by: cascade(of: topic, update.location), memory: topic.ruleMemory, errors: &errors)
        var writer = JSONWriter()
        let projected = projected(update.location, on: topic)
        _ = Self.write(update.location, style, projected, atMost: limit, to: &writer)
        return writer.bytes
    }

    /// A location as it is now, for whoever shows the fleet beside the broker; `nil` for other topics. What is kept of how it
    /// was drawn serves both, so little is evaluated, and nothing twice.
    mutating func shown(on topic: OutgoingTopic) -> ShownLocation? {
        guard case .state(let update) = topic.content else { return nil }
        let style = style(of: topic, update.location)
        let projected = projected(update.location, on: topic)
        var writer = JSONWriter()
        _ = style.write(update.location, projected, to: &writer)
        return ShownLocation(
            update: update, display: style.display, projected: projected, state: writer.bytes,
            interval: topic.pace.interval)
    }

    /// Writes a chunk. Locations that have no room in it find another one.
    private mutating func write(
        _ snapshot: SourceSnapshot, _ chunk: Int, of topic: OutgoingTopic, atMost limit: Int
    ) {
        let room = limit - SourceSnapshot.frame
        writer.beginObject()
        writer.key("type")
        writer.string("FeatureCollection")
        writer.key("features")
        writer.beginArray()
        let members = snapshot.members(of: chunk)
        let start = writer.count
        var (fitting, next) = (members.count, 0)
        for (index, member) in members.enumerated() {
            let mark = writer.mark
            writeFeature(of: member, withProperties: true)
            if writer.count <= room { continue }
            next = writer.count - mark.count
            writer.rewind(to: mark)
            if mark.count > start {
                fitting = index
                break
            }
            // Not even alone: as with states, the device's own properties stay behind, or all of it.
            writeFeature(of: member, withProperties: false)
            if writer.count > room { writer.rewind(to: mark) }
            oversized.append((topic.topicName, next))
        }
        let bytes = writer.count - start
        writer.endArray()
        writer.key("generation")
        writer.integer(Int(snapshot.generation))
        writer.key("chunk")
        writer.integer(chunk)
        writer.key("chunks")
        writer.integer(snapshot.count)
        writer.key("time")
        writer.string(snapshot.time.iso8601)
        writer.endObject()
        snapshot.wrote(chunk, fitting: fitting, bytes: bytes, next: next)
    }

    private mutating func writeFeature(of topic: OutgoingTopic, withProperties: Bool) {
        guard let location = topic.shown?.location else { return }
        // As it was published, not as it may have been drawn for somebody else since.
        let display = topic.shownDisplay ?? newStyle(of: topic, location).display
        topic.shownDisplay = display
        // It may be elsewhere since: what is kept is of where it is now.
        let projected = place(of: location, on: topic)?.projected
        StyledFeature.write(location, display, projected, withProperties: withProperties, to: &writer)
    }

    private mutating func newStyle(of topic: OutgoingTopic, _ location: Location) -> LocationStyle {
        LocationStyle(of: location, by: cascade(of: topic, location), memory: topic.ruleMemory, errors: &ruleErrors)
    }

    private mutating func cascade(of topic: OutgoingTopic, _ location: Location) -> Cascade {
        topic.style?.cascade(for: location) ?? cascade(for: location)
    }

    /// Locations that the same rules match share what is made of them.
    private mutating func cascade(for location: Location) -> Cascade {
        let numbers = rules.matching(location)
        if let known = cascades[numbers] { return known }
        let cascade = rules.cascade(of: numbers)
        if cascades.count >= Self.maximumCascades { cascades.removeAll() }
        cascades[numbers] = cascade
        return cascade
    }

    // MARK: What the rules remember

    /// Tells the rules how a location is now.
    ///
    /// - Returns: Whether they may yield something else.
    mutating func remember(
        _ location: Location, _ topic: OutgoingTopic, _ memory: LocationMemory, at now: Duration
    ) -> Bool {
        cascade(of: topic, location).advance(&memory.rules, with: location, at: now, errors: &ruleErrors)
    }

    // MARK: What was found on the way

    mutating func takeRuleErrors() -> [RuleError] {
        guard !ruleErrors.isEmpty else { return [] }
        defer { ruleErrors.removeAll() }
        return ruleErrors
    }

    mutating func takeUnprojected() -> (count: Int, topicName: String)? {
        guard unprojected != nil else { return nil }
        defer { unprojected = nil }
        return unprojected
    }

    mutating func takeBandChanges() -> [(stateTopic: String, change: BandChange)] {
        guard !bandChanges.isEmpty else { return [] }
        defer { bandChanges.removeAll() }
        return bandChanges
    }

    mutating func takeOversized() -> [(topicName: String, bytes: Int)] {
        guard !oversized.isEmpty else { return [] }
        defer { oversized.removeAll() }
        return oversized
    }
}
