public import Timestamps

/// What outlives a restart of the bridge, and another configuration.
extension TelemetrySource {
    /// Takes up a location as an earlier process published it.
    ///
    /// - Returns: How it is now, which its observers are not told yet; `nil` where the device is known already, or one too many.
    public func restore(_ published: Location, at now: Instant) -> LocationUpdate? {
        guard devices[published.id] == nil, devices.count < settings.maxLocations else { return nil }
        let device = Device(restoring: published, fixedSettings, at: now)
        devices[published.id] = device
        counts[device.location.status] += 1
        wasHeard = wasHeard || device.lastHeard != nil
        schedule(device, at: now)
        return LocationUpdate(location: device.location, cause: .time, isUrgent: false)
    }

    /// Takes up what an earlier process published of the source itself: where its status turns out the same, it began then.
    public func restore(_ published: SourceStatus, lastMessage: Timestamp?) {
        restored = published
        self.lastMessage = self.lastMessage ?? lastMessage
    }

    /// From now on goes by other settings, also for what is known.
    public func change(_ settings: SourceSettings, at now: Instant) {
        let old = self.settings
        self.settings = settings
        let isOtherPlan = settings.matching != old.matching  // whole plans are compared: once is enough
        if settings.staleAfter != old.staleAfter { intervals = IntervalWatch(staleAfter: settings.staleAfter) }
        for (_, device) in devices.sorted(by: { $0.key < $1.key }) {
            device.change(from: old, to: settings)
            if isOtherPlan { device.matchAgain(settings.matching) }
            device.findPosition(fixedSettings, at: now.monotonic)
            settle(device, cause: .time, isNew: false, at: now)
        }
        updateStatus(at: now)
    }
}
