internal import DisplayRules
internal import JSON
internal import Locations
internal import MQTTModel

/// One retained topic of ours: what is to stand there, and what does.
final class OutgoingTopic {
    enum Content {
        case state(LocationUpdate)
        case status(any LocationSource)
        case document([UInt8])
        /// Nothing is to stand there any more.
        case cleared
    }

    enum Place {
        case idle
        case waiting(until: Duration)
        case ready, backlog
    }

    let topicName: String
    var content: Content
    var place = Place.idle
    /// What was sent last, with the place of its time; `nil` before the first time and after a connect.
    var sent: (payload: [UInt8], time: Range<Int>)?
    var sentAt: Duration?
    /// Of the last publish; what becomes of earlier ones is of no interest.
    var lastToken: RequestToken?
    var changedAt: Duration
    /// A report that is not published yet is in it.
    var holdsReport = false
    /// Published again after a connect, whether new or not.
    var mustSend = false
    /// What was sent last can never be: only other content is tried.
    var isUnsendable = false
    var style: StyleCache?
    let pace: Pace

    init(_ topicName: String, _ content: Content, _ pace: Pace, at now: Duration) {
        self.topicName = topicName
        self.content = content
        self.pace = pace
        changedAt = now
    }

    struct Pace {
        /// The shortest time between two publishes, where nothing is urgent.
        var interval: Duration
        /// How often a publish may say nothing new but the time.
        var heartbeat: Duration?

        init(interval: Duration, heartbeat: Duration?) {
            (self.interval, self.heartbeat) = (interval, heartbeat)
        }

        init(_ settings: SourceSettings) {
            self.init(interval: settings.publishInterval, heartbeat: settings.heartbeat)
        }

        static let status = Pace(interval: .seconds(1), heartbeat: .seconds(10))
        static let none = Pace(interval: .zero, heartbeat: nil)
    }

    /// Whether these bytes say nothing that was not said, except for the time.
    func isNews(_ payload: UnsafeBufferPointer<UInt8>, time: Range<Int>) -> Bool {
        guard let sent, !mustSend, sent.time == time, sent.payload.count == payload.count else { return true }
        return sent.payload.withUnsafeBufferPointer { sent in
            !sent[..<time.lowerBound].hasSameBytes(as: payload[..<time.lowerBound])
                || !sent[time.upperBound...].hasSameBytes(as: payload[time.upperBound...])
        }
    }
}

/// The rules that concern a location, kept as long as what they match by stays the same.
final class StyleCache {
    let type: String?
    let building: String?
    let floor: Int?
    let cascade: Cascade

    init(_ location: Location, _ rules: DisplayRuleSet) {
        (type, building, floor) = (location.type, location.building, location.floor)
        cascade = rules.cascade(for: location)
    }

    func fits(_ location: Location) -> Bool {
        floor == location.floor && Self.same(type, location.type) && Self.same(building, location.building)
    }

    private static func same(_ a: String?, _ b: String?) -> Bool {
        switch (a, b) {
        case (let a?, let b?): a.hasSameBytes(as: b)
        case (nil, nil): true
        default: false
        }
    }
}
