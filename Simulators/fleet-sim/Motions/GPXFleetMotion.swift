import GPX
import Geometry
import Glibc
import MotionModels

/// Devices that replay a GPX file, each of them all of it.
struct GPXFleetMotion: FleetMotion {
    let path: String
    var speedFactor = 1.0
    var loops = false
    /// Takes all points so far apart, whatever their times say.
    var pointInterval: Duration?
    /// At the interval that all devices have, rather than each point when its time comes.
    var isSampled = false
    /// What the file came to; `nil` before it was looked at.
    private var options: TrackSteps.Options?
    private var start: Position?

    init(path: String) { self.path = path }

    var usualCount: Int { 1 }
    var hasOwnPace: Bool { !isSampled }
    var origin: Position? { start }

    /// - Throws: ``GPXError`` for a file of which nothing can be replayed.
    func prepared(warn: (String) -> Void) throws -> any FleetMotion {
        var status = stat()
        // It is read once before the replay, and once or more for it.
        if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
            throw GPXError(.unreadable, file: path, detail: "no regular file: a replay reads it more than once")
        }
        let survey = TrackSurvey(path: path, pointInterval: pointInterval)
        if var refusal = survey.refusal {
            if refusal.reason == .nothingToReplay, pointInterval == nil, survey.rejected.map(\.reason) == [.noTime] {
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
        var prepared = self
        let options = TrackSteps.Options(pointInterval: pointInterval, sorts: !survey.isOrdered)
        prepared.options = options
        prepared.start = prepared.player(options).state.position
        return prepared
    }

    func device(_ seat: DeviceSeat) -> any SimulatedDevice {
        guard let options else { preconditionFailure("a file that nobody looked at") }
        let player = player(options)
        return SimulatedTrack(
            identity: seat.outside(at: player.state.position), player: player, tellsEachPoint: !isSampled)
    }

    private func player(_ options: TrackSteps.Options) -> TrackPlayer<TrackFile> {
        TrackPlayer(TrackFile(path: path, options: options), speedFactor: speedFactor, loops: loops)
    }
}
