/// Who says that a device is offline: the device itself (by its will), its whole source, or both. Each is taken back by
/// whoever said it; live telemetry takes back both.
struct OfflineClaims {
    var own: OfflineClaim?
    var source: OfflineClaim?

    /// The claim that counts now, with the reason to publish.
    func effective(at now: Duration) -> (claim: OfflineClaim, reason: String)? {
        if let own, now >= own.effective { return (own, "connection-offline") }
        if let source, now >= source.effective { return (source, "source-offline") }
        return nil
    }
}

/// Somebody says that a device is offline. Times are monotonic.
struct OfflineClaim {
    var since: Duration
    /// A claim counts from here on: short absences are nobody's business.
    var effective: Duration
}
