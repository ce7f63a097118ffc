import GPX
import Geometry
import MotionModels

extension Fleet {
    /// How a file's tracks are replayed.
    struct Replay {
        var speedFactor = 1.0
        var loops = false
        /// Takes all points so far apart, whatever their times say.
        var pointInterval: Duration?
        /// At the interval that all devices have, rather than each point when its time comes.
        var isSampled = false
    }

    /// Devices that replay a GPX file, each of them all of it.
    ///
    /// - Parameter warn: Told of a file whose end is missing.
    /// - Throws: ``GPXError`` for a file of which nothing can be replayed.
    static func replaying(
        _ path: String, _ replay: Replay, source: String, count: Int, kind: SimulatedFormat.Kind,
        warn: (String) -> Void
    ) throws -> Fleet {
        let survey = TrackSurvey(path: path, pointInterval: replay.pointInterval)
        if var refusal = survey.refusal {
            if refusal.reason == .nothingToReplay, replay.pointInterval == nil,
                survey.rejected.map(\.reason) == [.noTime]
            {
                refusal.detail += "; --point-interval DURATION replays it all the same, a point each DURATION"
            }
            throw refusal
        }
        if let cut = survey.cut { warn(GPXInfoCommand.cutShort(cut)) }
        let ignored = survey.rejected.map { "\($0.count) \($0.reason.rawValue)" }
        if !ignored.isEmpty {
            let rejected = survey.rejected.reduce(0) { $0 + $1.count }
            warn(
                "\(path): \(rejected) of \(survey.trackPoints) track points are not replayed: \(ignored.joined(separator: ", "))"
            )
        }
        let options = TrackSteps.Options(pointInterval: replay.pointInterval, sorts: !survey.isOrdered)
        let devices = (0..<count).map { number in
            let player = TrackPlayer(
                TrackFile(path: path, options: options), speedFactor: replay.speedFactor, loops: replay.loops)
            return SimulatedTrack(
                identity: identity(kind, number, source: source, start: player.state.position), player: player,
                tellsEachPoint: !replay.isSampled)
        }
        return Fleet(devices: devices, origin: devices.first?.player.state.position)
    }

    /// Devices that go along one line, spread over it unless they stop at its end.
    static func travelling(
        along points: [Position], speed: Double, end: RouteMotion.End, source: String, count: Int,
        kind: SimulatedFormat.Kind
    ) -> Fleet {
        let devices = (0..<count).compactMap { number in
            let start = end == .stop ? 0 : Double(number) / Double(count)
            return RouteMotion(along: points, speed: speed, end: end, start: start).map { motion in
                SimulatedTraveller(
                    identity: identity(kind, number, source: source, start: motion.state.position), motion: motion)
            }
        }
        return Fleet(devices: devices, origin: points.first)
    }

    /// Outside of any building.
    private static func identity(
        _ kind: SimulatedFormat.Kind, _ number: Int, source: String, start: Position?
    ) -> DeviceIdentity {
        DeviceIdentity(
            source: source, id: "\(kind.stem)\(number)", name: "\(kind.name) \(number)", type: kind.type, building: "",
            floor: 0, dock: start)
    }
}
