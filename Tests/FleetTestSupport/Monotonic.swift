private let origin = ContinuousClock.now

/// The time since the first call, never going back.
public func monotonicNow() -> Duration {
    ContinuousClock.now - origin
}
