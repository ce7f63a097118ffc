internal import Timestamps

extension Device {
    /// Takes up a device where an earlier process left it, as far as what it published tells.
    ///
    /// Nothing that was published is a sign of life: the device is as old as its own times say, and what was found silent,
    /// lost or offline stays so.
    convenience init(restoring published: Location, _ settings: SourceSettings, at now: Instant) {
        func monotonic(_ time: Timestamp) -> Duration { now.monotonic - max(.zero, now.wall.duration(since: time)) }
        let time = monotonic(published.time)
        let since = monotonic(published.statusSince)
        // By the bridge's own clock, unlike the device's time. A silence began before it was noticed.
        let noticed =
            switch (published.status, published.statusReason) {
            case (.stale, "silent"): since - (settings.staleAfter ?? .zero)
            case (.lost, "position-too-old"): time
            default: max(time, since)
            }
        self.init(location: published, arrival: noticed, settings)
        isRestored = true
        // A time that no clock can have read yet would keep the device from ever being newer.
        restoredTime = published.time > now.wall.advanced(by: settings.futureTolerance) ? nil : published.time
        if published.statusReason != "age-unknown" {
            lastHeard = published.status == .stale ? min(time, noticed) : noticed
        }
        // What is written for want of a name.
        if let name = published.name, name.utf8.elementsEqual(published.id.text.utf8) { location.name = nil }
        restorePosition(settings, at: now.monotonic, monotonic)
        if published.status == .offline {
            let claim = OfflineClaim(since: since, effective: now.monotonic)
            if published.statusReason == "source-offline" { claims.source = claim } else { claims.own = claim }
        }
        let judgement = judge(settings, at: now.monotonic)
        take(judgement, isNew: judgement.status != published.status, at: now)
    }

    private func restorePosition(
        _ settings: SourceSettings, at now: Duration, _ monotonic: (Timestamp) -> Duration
    ) {
        if location.position != nil {
            let fixed = location.positionTime ?? location.time
            location.positionTime = fixed
            fixedAt = monotonic(fixed)
            return
        }
        hasNoFix = location.statusReason == "no-fix"
        guard let last = location.lastPosition else { return }
        fixedAt = monotonic(last.time)
        let isTooOld = settings.lostAfter.map { now >= monotonic(last.time) + $0 } ?? false
        if location.status == .offline { hasNoFix = !isTooOld }
        // Lost by a limit that does not hold any more.
        if !hasNoFix, !isTooOld {
            (location.position, location.positionTime, location.lastPosition) = (last.position, last.time, nil)
        }
    }

    /// Merges a stored copy into a device that has not spoken since the restart. Most likely the copy was read before it.
    ///
    /// - Returns: Whether it tells anything; if not, nothing is changed.
    func mergeStored(
        _ report: Report, on map: Identifier?, time: Timestamp?, _ settings: SourceSettings, at now: Instant
    ) -> Bool {
        let before = (location, fixedAt, hasNoFix, self.map, breaksTrail)
        merge(report, on: map, time: time, retained: true, settings, at: now) { _ in }
        if hasNoFix != before.2 || !location.saysTheSame(as: before.0) { return true }
        (location, fixedAt, hasNoFix, self.map, breaksTrail) = before
        return false
    }
}

extension Location {
    /// Whether it differs in nothing but when that was said, and how far it can be believed.
    fileprivate func saysTheSame(as other: Location) -> Bool {
        (position ?? lastPosition?.position) == (other.position ?? other.lastPosition?.position)
            && (floor, charge) == (other.floor, other.charge) && (heading, speed) == (other.heading, other.speed)
            && (accuracy, altitude) == (other.accuracy, other.altitude)
            && (name, type, building) == (other.name, other.type, other.building) && properties == other.properties
    }
}
