/// What a device was told to do and has not been told otherwise since. A value without a clock.
struct DeviceControl: Sendable, Equatable {
    enum Mode: Sendable, CaseIterable {
        case stopped, stationary, positionLost, docked, away
    }

    /// How many times as fast it lives.
    private(set) var speed = 1.0
    /// From one reading to the next.
    private(set) var interval: Duration
    /// Whether a device that is away says DISCONNECT before.
    private(set) var leavesGracefully = true

    private let usualInterval: Duration
    private var modes: [Mode: End] = [:]
    private var speedEnd = End.never
    private var intervalEnd = End.never

    private enum End: Sendable, Equatable {
        case never
        case at(Duration)

        init(_ duration: Duration?, from now: Duration) {
            self = duration.map { .at(now + $0) } ?? .never
        }

        var time: Duration? {
            if case .at(let time) = self { time } else { nil }
        }

        func isOver(at now: Duration) -> Bool { time.map { now >= $0 } ?? false }
    }

    init(interval: Duration) {
        usualInterval = interval
        self.interval = interval
    }

    func isIn(_ mode: Mode) -> Bool { modes[mode] != nil }

    /// Does a command; a later one counts instead of an earlier one of the same kind.
    mutating func apply(_ command: DeviceCommand, at now: Duration) {
        let end = End(command.duration, from: now)
        switch command.action {
        case .start: modes[.stopped] = nil
        case .stop: modes[.stopped] = end
        case .stationary: modes[.stationary] = end
        case .positionLost: modes[.positionLost] = end
        case .dock: modes[.docked] = end
        case .resume: for mode in [Mode.stationary, .positionLost, .docked, .away] { modes[mode] = nil }
        case .speed(let factor): (speed, speedEnd) = (factor, end)
        case .interval(let interval): (self.interval, intervalEnd) = (interval, end)
        case .disconnect(let graceful): (modes[.away], leavesGracefully) = (end, graceful)
        }
    }

    /// Undoes what is over.
    mutating func expire(at now: Duration) {
        for (mode, end) in modes where end.isOver(at: now) { modes[mode] = nil }
        if speedEnd.isOver(at: now) { (speed, speedEnd) = (1, .never) }
        if intervalEnd.isOver(at: now) { (interval, intervalEnd) = (usualInterval, .never) }
    }

    /// When ``expire(at:)`` has something to do; `nil`: never.
    var deadline: Duration? {
        (modes.values.map(\.time) + [speedEnd.time, intervalEnd.time]).compactMap(\.self).min()
    }
}
