/// What a file holds, all of it at once. For files of a reasonable size; ``TrackSteps`` reads any.
public struct GPXDocument: Sendable, Hashable {
    public var tracks: [Track] = []
    public var routes: [Route] = []
    public var waypoints: [Waypoint] = []
    /// Points whose latitude or longitude is none. They are left out.
    public var rejectedPoints = 0
    /// Where and why reading ended before the file did.
    public var cut: GPXError?

    /// - Parameter limit: Points in all.
    public init(path: String, limit: Int = 1_000_000) throws(GPXError) {
        let stream = try GPXItemStream(path: path)
        var count = 0
        var routePoints: [Waypoint] = []
        var segments: [TrackSegment] = []
        var points: [TrackPoint] = []
        while let item = try stream.nextItem() {
            switch item {
            case .trackPoint(let text):
                if let point = TrackPoint(text) { points.append(point) } else { rejectedPoints += 1 }
            case .segmentEnd:
                segments.append(TrackSegment(points: points))
                points = []
            case .trackEnd(let name):
                tracks.append(Track(name: name, segments: segments))
                segments = []
            case .routePoint(let text):
                if let point = Waypoint(text) { routePoints.append(point) } else { rejectedPoints += 1 }
            case .routeEnd(let name):
                routes.append(Route(name: name, points: routePoints))
                routePoints = []
            case .waypoint(let text):
                if let point = Waypoint(text) { waypoints.append(point) } else { rejectedPoints += 1 }
            case .trackStart, .segmentStart, .routeStart: continue
            }
            count += 1
            if count > limit {
                throw GPXError(.tooManyPoints, file: path, detail: "more than \(limit) points and segments")
            }
        }
        if case .cut(let place, let message) = stream.end {
            cut = GPXError(.malformed, file: path, place: place, detail: message)
        }
        // What a file that is cut short had begun.
        if !points.isEmpty { segments.append(TrackSegment(points: points)) }
        if !segments.isEmpty { tracks.append(Track(segments: segments)) }
        if !routePoints.isEmpty { routes.append(Route(points: routePoints)) }
    }
}

extension TrackPoint {
    init?(_ text: PointText) {
        guard case .success(let position) = text.position else { return nil }
        self.init(
            position: position, time: try? text.time.get(), elevation: text.elevation, course: text.course,
            speed: text.speed, accuracy: text.accuracy)
    }
}

extension Waypoint {
    init?(_ text: PointText) {
        guard case .success(let position) = text.position else { return nil }
        self.init(name: text.name, position: position, elevation: text.elevation)
    }
}
