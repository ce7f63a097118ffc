internal import DisplayRules
internal import Geometry
internal import JSON
internal import Locations
internal import MQTTModel

/// One retained topic of ours: what is to stand there, and what does.
final class OutgoingTopic {
    enum Content {
        case state(LocationUpdate)
        case status(UnownedSource)
        case document([UInt8])
        /// One chunk of a source's snapshot.
        case chunk(SourceSnapshot, Int)
        /// What Home Assistant is told.
        case discovery(DiscoveryMessage)
        /// Nothing is to stand there any more.
        case cleared
    }

    enum Place {
        case idle
        case waiting(until: Duration)
        case ready, backlog
    }

    let topicName: String
    @exclusivity(unchecked) var content: Content
    @exclusivity(unchecked) var place = Place.idle
    /// What was sent last, on whichever connection, with the place of its time; `nil` before the first time.
    @exclusivity(unchecked) var sent: (payload: [UInt8], time: Range<Int>)?
    @exclusivity(unchecked) var sentAt: Duration?
    /// Of the last publish; what becomes of earlier ones is of no interest.
    @exclusivity(unchecked) var lastToken: RequestToken?
    @exclusivity(unchecked) var changedAt: Duration
    /// A report that is not published yet is in it.
    @exclusivity(unchecked) var holdsReport = false
    /// It was seen there on this connection, so it is not sent again but for news.
    @exclusivity(unchecked) var isSeen = false
    /// Published again after a connect, whether new or not.
    @exclusivity(unchecked) var mustSend = false
    /// What was sent last can never be: only other content is tried.
    @exclusivity(unchecked) var isUnsendable = false
    /// How the location was drawn last.
    @exclusivity(unchecked) var style: LocationStyle?
    /// What the rules remember of the location, where one of them looks back.
    @exclusivity(unchecked) var memory: LocationMemory?
    @exclusivity(unchecked) var bands = BandWatch()
    /// Where the location is in the map's own coordinate system; only where there is one.
    @exclusivity(unchecked) var projected: ProjectedPlace?
    /// Since it was published last, the location has come from where no way leads here.
    @exclusivity(unchecked) var breaksTrail = false
    /// How it was drawn where it was published last; only where a snapshot or movements are judged by it.
    @exclusivity(unchecked) var shownDisplay: Display?
    /// The location as it was published last; only where a snapshot or movements are judged by it.
    @exclusivity(unchecked) private(set) var shown: LocationUpdate?
    /// The snapshot that the location is in, and its chunk there.
    @exclusivity(unchecked) private(set) weak var snapshot: SourceSnapshot?
    @exclusivity(unchecked) var chunk: Int?
    /// How Home Assistant was told of the location.
    @exclusivity(unchecked) var discovered: DiscoveredDevice?
    var pace: Pace

    init(_ topicName: String, _ content: Content, _ pace: Pace, at now: Duration) {
        self.topicName = topicName
        self.content = content
        self.pace = pace
        changedAt = now
    }

    var ruleMemory: RuleMemory { memory?.rules ?? RuleMemory() }

    /// From now on the location is in this snapshot, as soon as it has been published.
    func join(_ snapshot: SourceSnapshot?) {
        (self.snapshot, shown, shownDisplay, chunk) = (snapshot, nil, nil, nil)
        if sent != nil, case .state(let update) = content { show(update) }
    }

    /// The location stands on the topic so.
    func show(_ update: LocationUpdate) {
        guard snapshot != nil || pace.minDistance != nil else { return }
        (shown, shownDisplay) = (update, style?.display)
        if pace.minDistance != nil { breaksTrail = false }
        guard let snapshot else { return }
        snapshot.note(self)
    }

    /// A class, since the topics of a source share it.
    final class Pace: Sendable {
        /// The shortest time between two publishes, where nothing is urgent.
        let interval: Duration
        /// How often a publish may say nothing new but the time.
        let heartbeat: Duration?
        /// Metres of movement that are published; `nil`: any.
        let minDistance: Double?

        init(interval: Duration, heartbeat: Duration?, minDistance: Double? = nil) {
            (self.interval, self.heartbeat, self.minDistance) = (interval, heartbeat, minDistance)
        }

        static let status = Pace(interval: .seconds(1), heartbeat: .seconds(10))
        static let none = Pace(interval: .zero, heartbeat: nil)
    }

    /// Whether it says where locations are: where states expire, nothing else may show them for longer.
    var expires: Bool {
        switch content {
        case .state, .chunk: true
        case .status, .document, .discovery, .cleared: false
        }
    }

    /// Whether it is not sent any more when the bridge ends.
    var isLeftOutAtEnd: Bool {
        switch content {
        case .state, .chunk, .discovery: true
        case .status, .document, .cleared: false
        }
    }

    /// Whether it comes and goes with a device, and nobody has been told of it.
    var isUnsaid: Bool {
        switch content {
        case .state: sent == nil
        case .discovery: sentAt == nil
        case .status, .document, .chunk, .cleared: false
        }
    }

    /// Whether these bytes say anything that was not said, apart from the time.
    func isNews(_ payload: UnsafeBufferPointer<UInt8>, time: Range<Int>) -> Bool {
        // Not kept, since it is known to be new when it is put there.
        if case .discovery = content { return mustSend }
        guard let sent, !mustSend, sent.time == time, sent.payload.count == payload.count else { return true }
        return sent.payload.withUnsafeBufferPointer { sent in
            !sent[..<time.lowerBound].hasSameBytes(as: payload[..<time.lowerBound])
                || !sent[time.upperBound...].hasSameBytes(as: payload[time.upperBound...])
        }
    }
}

/// A source that is not kept: its status topic does not outlive it.
struct UnownedSource {
    unowned let source: any LocationSource
}

/// A position in the map's own coordinate system, so that one that stays is not worked out again.
final class ProjectedPlace {
    let position: Position
    /// `nil` where the system has no place for it.
    let projected: ProjectedPosition?

    init(_ position: Position, by system: any CoordinateSystem) {
        (self.position, projected) = (position, system.project(position))
    }
}

/// What rules remember of one location.
final class LocationMemory {
    @exclusivity(unchecked) var rules = RuleMemory()
    /// When the agenda calls because time alone changes what the rules yield; entries for other times are outdated.
    @exclusivity(unchecked) var scheduledHold: Duration?
}
