/// A battery that is emptied and filled at constant rates.
public struct Battery: Sendable, Hashable {
    /// Percent, 0…100.
    public private(set) var charge: Double
    /// Percent a second while working.
    public let drain: Double
    /// Percent a second on the dock.
    public let gain: Double

    /// Charge out of range is taken as the nearest in range.
    public init(charge: Double, drain: Double, gain: Double) {
        self.charge = min(max(charge, 0), 100)
        self.drain = max(drain, 0)
        self.gain = max(gain, 0)
    }

    public mutating func work(for time: Duration) {
        charge = max(0, charge - drain * (time / .seconds(1)))
    }

    public mutating func fill(for time: Duration) {
        charge = min(100, charge + gain * (time / .seconds(1)))
    }

    /// How long until it is down to `level`; `nil` if never.
    func time(downTo level: Double) -> Duration? {
        time(forPercent: charge - level, rate: drain)
    }

    /// How long until it is full; `nil` if never.
    var timeToFull: Duration? {
        time(forPercent: 100 - charge, rate: gain)
    }

    private func time(forPercent percent: Double, rate: Double) -> Duration? {
        // A rest that rounding left is nothing: waiting for it would never end.
        if percent < 1e-9 { return .zero }
        return Duration(finiteSeconds: percent / rate)
    }
}
