/// Notices when a source's devices report so seldom that one lost message makes them stale.
struct IntervalWatch {
    /// A few long intervals prove nothing.
    private static let patience = 5

    /// Half of the source's `staleAfter`; `nil` where nothing is to be noticed any more.
    private var limit: Duration?
    private var found: (device: Identifier, interval: Duration)?

    init(staleAfter: Duration?) { limit = staleAfter.map { $0 / 2 } }

    /// A live report of a device has come, which was heard before.
    mutating func note(_ device: Device, at now: Duration) {
        guard let limit, let lastHeard = device.lastHeard else { return }
        guard now - lastHeard > limit, !device.isSilentByIntent, device.claims.own == nil else {
            device.longIntervals = 0
            return
        }
        device.longIntervals += 1
        guard device.longIntervals >= Self.patience else { return }
        found = (device.location.id, now - lastHeard)
        self.limit = nil
    }

    /// A device that has been noticed, once.
    mutating func take() -> (device: Identifier, interval: Duration)? {
        guard found != nil else { return nil }
        defer { found = nil }
        return found
    }
}
