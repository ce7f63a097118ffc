import MotionModels

/// A device that replays a track, and leaves at its end.
struct SimulatedTrack<Source: TrackStepSource>: SimulatedDevice {
    let identity: DeviceIdentity
    var player: TrackPlayer<Source>
    /// Tells each point and each loss when its time comes, rather than at an interval where it is on its way.
    var tellsEachPoint: Bool
    private var hasBegun = false
    /// Whether the latest reading told a loss that was over by then.
    private var toldPastLoss = false

    init(identity: DeviceIdentity, player: TrackPlayer<Source>, tellsEachPoint: Bool) {
        self.identity = identity
        self.player = player
        self.tellsEachPoint = tellsEachPoint
    }

    var pace: Pace {
        player.isOver && !toldPastLoss ? .over : tellsEachPoint ? .own(player.timeToNext ?? .zero) : .interval
    }

    mutating func advance(by time: Duration) -> Reading {
        if tellsEachPoint { return Reading(motion: player.step()) }
        // The track's first point is told first, not what comes an interval later.
        defer { hasBegun = true }
        var motion = hasBegun ? player.advance(by: time) : player.state
        // A gap shorter than the interval is one all the same; but where there is one in each, places are told in between.
        toldPastLoss = hasBegun && player.hasPassedLoss && !toldPastLoss
        if toldPastLoss { motion = MotionState(position: nil, heading: nil, speed: 0, accuracy: nil) }
        return Reading(motion: motion)
    }
}

/// A device that only moves: no battery, no dock.
struct SimulatedTraveller<Motion: MotionModel>: SimulatedDevice {
    let identity: DeviceIdentity
    var motion: Motion

    mutating func advance(by time: Duration) -> Reading { Reading(motion: motion.advance(by: time)) }
}
