import Timestamps

/// What a file comes to when its tracks are replayed.
public struct TrackSurvey: Sendable, Hashable {
    public var file: String
    /// Why it is not replayed; `nil` where it is.
    public var refusal: GPXError?
    /// Where and why reading ended before the file did.
    public var cut: GPXError?
    public var tracks = 0
    /// Points of tracks, good or bad.
    public var trackPoints = 0
    public var replayable = 0
    /// Segments with replayable points.
    public var segments = 0
    /// Borders between such segments, and silences of more than a minute within them.
    public var gaps = 0
    /// From the earliest replayable point to the latest.
    public var duration = Duration.zero
    /// By reason, in the order of their first points.
    public var rejected: [RejectedPoints] = []
    /// What is not replayed.
    public var waypoints = 0
    public var routePoints = 0
    /// Whether the points of each segment stand in the order of their times.
    public var isOrdered = true

    public var isAccepted: Bool { refusal == nil }

    /// Reads the whole file.
    ///
    /// - Parameter pointInterval: See ``TrackSteps/Options``.
    public init(path: String, pointInterval: Duration? = nil) {
        var options = TrackSteps.Options(pointInterval: pointInterval, sorts: false)
        self.init(path: path, options: options)
        guard !isOrdered else { return }
        options.sorts = true
        self.init(path: path, options: options)
        isOrdered = false
    }

    /// Stops at the first point out of order, if sorting is off.
    init(path: String, options: TrackSteps.Options) {
        file = path
        do throws(GPXError) {
            let steps = try TrackSteps(path: path, options: options)
            do throws(GPXError) {
                while try steps.next() != nil {}
            } catch {
                refusal = error
            }
            isOrdered = !steps.isDisordered
            take(steps.tally)
            if case .cut(let place, let message) = steps.stream.end {
                cut = GPXError(.malformed, file: path, place: place, detail: message)
            }
        } catch {
            refusal = error
        }
        refusal = refusal ?? fault(of: options)
    }

    private mutating func take(_ tally: Tally) {
        (tracks, trackPoints, replayable) = (tally.tracks, tally.trackPoints, tally.replayable)
        (segments, gaps, duration) = (tally.segments, tally.gaps, tally.duration)
        (rejected, waypoints, routePoints) = (tally.rejected, tally.waypoints, tally.routePoints)
    }

    /// Why nothing comes of a file that could be read.
    private func fault(of options: TrackSteps.Options) -> GPXError? {
        if let late = rejected.first(where: { $0.reason == .disorder }) {
            return GPXError(
                .disorder, file: file, place: late.place,
                detail:
                    "\(late.count) track points are so far out of their order in time that sorting them would take more than 64 MB"
            )
        }
        guard replayable == 0 else { return nil }
        // A file that cannot be read has no better reason.
        if let cut, rejected.allSatisfy({ $0.reason == .incomplete }) { return cut }
        guard trackPoints > 0 else {
            return GPXError(
                .nothingToReplay, file: file,
                detail:
                    "no track points (trkpt), only \(waypoints) waypoints (wpt) and \(routePoints) route points (rtept)"
            )
        }
        if rejected.allSatisfy({ $0.reason == .noTime }) {
            return GPXError(.nothingToReplay, file: file, detail: "no track point has a time, of \(trackPoints)")
        }
        let first = rejected.first
        return GPXError(
            .nothingToReplay, file: file, place: first?.place,
            detail: "none of \(trackPoints) track points can be replayed"
                + (first.map { ": \($0.reason.rawValue)" + ($0.text.map { " (\($0))" } ?? "") } ?? ""))
    }
}

/// What is counted while a file is read.
struct Tally {
    var tracks = 0
    var trackPoints = 0
    var replayable = 0
    var segments = 0
    var gaps = 0
    var rejected: [RejectedPoints] = []
    var waypoints = 0
    var routePoints = 0
    private var earliest: Timestamp?
    private var latest: Timestamp?

    var duration: Duration {
        guard let earliest, let latest else { return .zero }
        return latest.duration(since: earliest)
    }

    mutating func count(_ time: Timestamp, beginsSegment: Bool, isAfterGap: Bool) {
        replayable += 1
        if beginsSegment { segments += 1 }
        if isAfterGap { gaps += 1 }
        earliest = min(earliest ?? time, time)
        latest = max(latest ?? time, time)
    }

    mutating func reject(_ fault: PointFault, at place: TextPlace) {
        if let known = rejected.firstIndex(where: { $0.reason == fault.reason }) {
            rejected[known].count += 1
        } else {
            rejected.append(RejectedPoints(reason: fault.reason, count: 1, place: place, text: fault.text))
        }
    }
}
