internal import Geometry
internal import Timestamps

extension Device {
    /// Takes up a device where an earlier process left it, as far as what it published tells.
    ///
    /// Nothing that was published is a sign of life: the device is as old as its own times say, and what was found silent,
    /// lost or offline stays so.
    convenience init(restoring published: Location, _ settings: FixedSettings, at now: Instant) {
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
        location.name = entry?.name ?? location.name
        location.type = entry?.type ?? location.type
        location.building = entry?.building ?? location.building
        restorePosition(settings, at: now.monotonic, monotonic)
        if published.status == .offline {
            let claim = OfflineClaim(since: since, effective: now.monotonic)
            if published.statusReason == "source-offline" { claims.source = claim } else { claims.own = claim }
        }
        let judgement = judge(settings, at: now.monotonic)
        take(judgement, isNew: judgement.status != published.status, at: now)
        restoreAreas(settings, at: now.monotonic)
    }

    private func restorePosition(
        _ settings: FixedSettings, at now: Duration, _ monotonic: (Timestamp) -> Duration
    ) {
        if location.position != nil {
            let fixed = location.positionTime ?? location.time
            location.positionTime = fixed
            fixedAt = monotonic(fixed)
            if settings.comparesFixes { beginMovement() }
            matchAgain(settings.matching)
            return
        }
        hasNoFix = location.statusReason == "no-fix"
        guard let last = location.lastPosition else { return }
        fixedAt = monotonic(last.time)
        if location.statusReason == "position-stuck", let limit = settings.stuckAfter {
            stuck?.restore(last.position, arrived: last.time, since: monotonic(location.statusSince) - limit)
        }
        if location.status == .offline { hasNoFix = !isPositionTooOld(settings, at: now) }
        findPosition(settings, at: now)
    }

    /// The position counts again that was lost by a limit which does not hold any more.
    func findPosition(_ settings: FixedSettings, at now: Duration) {
        guard location.position == nil, let last = location.lastPosition, !hasNoFix,
            !isPositionTooOld(settings, at: now)
        else { return }
        (location.position, location.positionTime, location.lastPosition) = (last.position, last.time, nil)
    }

    private func isPositionTooOld(_ settings: FixedSettings, at now: Duration) -> Bool {
        guard let limit = settings.lostAfter, let fixedAt else { return false }
        return now >= fixedAt + limit
    }

    /// Whether a stored copy says something else than was published before the restart; most likely it was read before it.
    func isNews(_ report: Report, _ settings: FixedSettings) -> Bool {
        func differs<Value: Equatable>(_ reading: Reading<Value>, _ known: Value?) -> Bool {
            switch reading {
            case .absent: false
            case .unknown: known != nil
            case .value(let value): value != known
            }
        }
        var properties = location.properties
        properties.merge(report) { _ in }
        return isElsewhere(report) || properties != location.properties
            || differs(report.heading, location.heading) || differs(report.speed, location.speed)
            || differs(report.accuracy, location.accuracy) || differs(report.altitude, location.altitude)
            || differs(report.charge, location.charge)
            || entry?.name == nil && differs(report.name, location.displayName)
            || entry?.type == nil && differs(report.type, location.type)
            || entry?.building == nil && differs(report.building, location.building)
            || isOnOtherFloor(report.floor, settings)
            || report.connection == .offline && claims.own == nil
    }

    private func isOnOtherFloor(_ floor: Reading<ReportedFloor>, _ settings: FixedSettings) -> Bool {
        switch floor {
        case .absent: false
        case .unknown: location.floor != nil
        case .value(let floor): settings.value.index(of: floor, building: location.building) != location.floor
        }
    }

    private func isElsewhere(_ report: Report) -> Bool {
        switch report.position {
        case .absent, .value(.plan): return false
        case .unknown: return !hasNoFix
        case .value(.geographic(let position)):
            guard !hasNoFix, let known = location.rawPosition ?? location.position ?? location.lastPosition?.position
            else { return true }
            return position != known
        }
    }
}
