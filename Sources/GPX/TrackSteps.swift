import Geometry
public import Timestamps

/// One point of a replay.
public struct TrackStep: Sendable, Hashable {
    public var time: Timestamp
    public var point: TrackPoint
    /// Before it the position was lost: it begins a segment, or ends a hole in one. Nothing is known of what lies between.
    public var isAfterGap: Bool

    public init(time: Timestamp, point: TrackPoint, isAfterGap: Bool) {
        self.time = time
        self.point = point
        self.isAfterGap = isAfterGap
    }
}

/// The replayable points of a file, one after the other, in memory that does not depend on the file's size.
///
/// Segments come in the file's order. Within one, points come in the order of their times: one that is written in that order
/// streams, another is put in order by an index of 64 MB (some 888 000 points) at most. A point that equals one of its
/// segment in time and place is dropped; two places at one time are both kept.
///
/// Not `Sendable`: it belongs to the thread that reads.
public final class TrackSteps {
    public struct Options: Sendable, Hashable {
        /// Takes all points in the file's order, so far apart, whatever their times say; for files without any.
        public var pointInterval: Duration?
        /// Whether to expect points out of order. Without it the first one ends the reading.
        public var sorts: Bool
        /// Points; `nil` is what 64 MB hold.
        var indexCapacity: Int?

        public init(pointInterval: Duration? = nil, sorts: Bool = true) {
            self.pointInterval = pointInterval
            self.sorts = sorts
        }
    }

    /// A longer silence within a segment is a gap.
    public static let longestHole = Duration.seconds(60)
    /// 1980-01-06, the first day of GPS time.
    private static let beginning = Timestamp(milliseconds: 315_964_800_000)

    let stream: GPXItemStream
    private(set) var tally = Tally()
    /// A point out of order ended the reading.
    private(set) var isDisordered = false

    private let options: Options
    private var index: SortingIndex
    private var isSegmentOver = false
    private var isFileOver = false
    private var last: TimedPoint?
    /// The segment's places at the time of its last point, where there are several.
    private var places: Set<Position> = []

    public init(path: String, options: Options = Options()) throws(GPXError) {
        self.options = options
        index = options.indexCapacity.map { SortingIndex(capacity: $0) } ?? SortingIndex()
        stream = try GPXItemStream(path: path)
    }

    /// - Returns: `nil` at the end, also where the rest of the file cannot be read.
    /// - Throws: What makes the file as a whole no source of points.
    public func next() throws(GPXError) -> TrackStep? {
        while !isDisordered {
            if !index.isEmpty, isSegmentOver || index.isFull {
                if let point = index.takeFirst(), let step = step(point) { return step }
            } else if isSegmentOver {
                isSegmentOver = false
                last = nil
                places = []
            } else if isFileOver {
                return nil
            } else if let step = try readOn() {
                return step
            }
        }
        return nil
    }

    private func readOn() throws(GPXError) -> TrackStep? {
        switch try stream.nextItem() {
        case .trackPoint(let text): return take(text)
        case .segmentEnd: isSegmentOver = true
        case .waypoint: tally.waypoints += 1
        case .routePoint: tally.routePoints += 1
        case .trackStart: tally.tracks += 1
        case .segmentStart, .trackEnd, .routeStart, .routeEnd: break
        case nil:
            (isFileOver, isSegmentOver) = (true, true)
            if let place = stream.incompletePoint { tally.reject(PointFault(.incomplete), at: place) }
            tally.trackPoints = stream.trackPoints
        }
        return nil
    }

    /// Rejects the point, leaves it to the index, or makes a step of it.
    private func take(_ text: PointText) -> TrackStep? {
        let point: TimedPoint
        do throws(PointFault) {
            point = try self.point(text)
        } catch {
            tally.reject(error, at: text.place)
            return nil
        }
        guard options.pointInterval == nil else { return step(point) }
        if options.sorts {
            index.insert(point)
            return nil
        }
        if let last, point.time < last.time {
            isDisordered = true
            return nil
        }
        return step(point)
    }

    private func point(_ text: PointText) throws(PointFault) -> TimedPoint {
        let position = try text.position.get()
        let time: Timestamp
        if let interval = options.pointInterval {
            time = Self.beginning.advanced(by: interval * tally.replayable)
        } else {
            time = try text.time.get()
            if time < Self.beginning { throw PointFault(.tooEarly, time.iso8601) }
        }
        let point = TrackPoint(
            position: position, time: time, elevation: text.elevation, course: text.course, speed: text.speed,
            accuracy: text.accuracy)
        return TimedPoint(time: time, point: point, place: text.place)
    }

    /// - Returns: `nil` for a point that was rejected.
    private func step(_ point: TimedPoint) -> TrackStep? {
        var isAfterGap = last == nil && tally.segments > 0
        if let last {
            if point.time < last.time {
                tally.reject(PointFault(.disorder, point.time.iso8601), at: point.place)
                return nil
            }
            if point.time == last.time {
                if places.isEmpty { places.insert(last.point.position) }
                // So many places at one time are no way that anything went.
                if places.count >= index.capacity {
                    tally.reject(PointFault(.disorder, point.time.iso8601), at: point.place)
                    return nil
                }
                if !places.insert(point.point.position).inserted {
                    tally.reject(PointFault(.duplicate), at: point.place)
                    return nil
                }
            } else if !places.isEmpty {
                places.removeAll()
            }
            isAfterGap = options.pointInterval == nil && point.time.duration(since: last.time) > Self.longestHole
        }
        tally.count(point.time, beginsSegment: last == nil, isAfterGap: isAfterGap)
        last = point
        return TrackStep(time: point.time, point: point.point, isAfterGap: isAfterGap)
    }
}
