public import Timestamps

/// Who is alive, and how far the source can be relied on.
extension TelemetrySource {
    /// Judges a device anew, tells the observers, and sees to it that time comes back to it.
    func settle(
        _ device: Device, cause: LocationUpdate.Cause, isNew: Bool, at now: Instant, onlyIfStatusChanges: Bool = false
    ) {
        let judgement = device.judge(fixedSettings, at: now.monotonic)
        let changed = device.location.status != judgement.status
        if changed {
            counts[device.location.status] -= 1
            counts[judgement.status] += 1
        }
        // A report that leaves its device stale is an old one, by which the silence began later than was thought.
        let isLaterSilence = cause == .report && judgement.status == .stale && judgement.began != nil
        device.take(judgement, isNew: changed || isNew || isLaterSilence, at: now)
        var (areaChanges, isInOtherRoom) = ([AreaChange](), false)
        if let presence = device.presence {
            let room = device.location.room
            areaChanges = device.findAreas(presence, fixedSettings, at: now.monotonic)
            isInOtherRoom = room !== device.location.room
        }
        schedule(device, at: now)
        if changed || isNew || isInOtherRoom || !onlyIfStatusChanges {
            let update = LocationUpdate(
                location: device.location, cause: cause, isUrgent: changed || isNew, breaksTrail: device.breaksTrail)
            device.breaksTrail = false
            for observer in observers { observer.locationsUpdated([update], from: self, at: now) }
        }
        if !areaChanges.isEmpty {
            for observer in observers {
                observer.areasChanged(areaChanges, of: device.location.id, from: self, at: now)
            }
        }
        wasHeard = wasHeard || device.lastHeard != nil
        updateStatus(at: now)
    }

    func schedule(_ device: Device, at now: Instant) {
        guard let deadline = device.nextDeadline(fixedSettings, after: now.monotonic) else { return }
        // An earlier entry will look again; only an earlier need must be added.
        if let scheduled = device.scheduled, scheduled <= deadline { return }
        device.scheduled = deadline
        agenda.add(device, at: deadline)
        // Outdated entries keep devices alive: whoever makes and withdraws devices in a loop must not fill memory.
        if agenda.count > 2 * devices.count + 1_024 { agenda.compact { device, time in device.scheduled == time } }
    }

    public var nextDeadline: Duration? { agenda.nextTime }

    /// Entries of the agenda, outdated ones too: bounded by the number of devices.
    var waiting: Int { agenda.count }

    public func advance(to now: Instant) {
        while let (time, device) = agenda.popDue(at: now.monotonic) {
            guard device.scheduled == time else { continue }
            device.scheduled = nil
            if let removeAfter = fixedSettings.removeAfter, now.monotonic >= device.lastArrival + removeAfter {
                withdraw(device.location.id, at: now)
            } else {
                settle(device, cause: .time, isNew: false, at: now, onlyIfStatusChanges: true)
            }
        }
    }

    public func start(at now: Instant) { connection(.opening, at: now) }

    public func stop(at now: Instant) { connection(.stopped, at: now) }

    /// Where the connection to the source's topics stands now.
    public func connection(_ connection: SourceConnection, at now: Instant) {
        self.connection = connection
        updateStatus(at: now)
    }

    func updateStatus(at now: Instant) {
        let (kind, reason) = connection.status(
            isAvailable: fixedSettings.staleAfter == nil ? wasHeard : counts[.live] > 0)
        guard kind != status.kind || reason != status.reason else { return }
        let isContinued = restored.map { ($0.kind, $0.reason) == (kind, reason) } ?? false
        let since = isContinued ? restored?.since : nil
        if kind != .initialising { restored = nil }
        status = SourceStatus(kind: kind, reason: reason, since: since ?? now.wall)
        for observer in observers { observer.statusChanged(of: self, at: now) }
    }
}
