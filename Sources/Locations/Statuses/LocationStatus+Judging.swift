internal import Timestamps

/// A status with the reason and the monotonic time at which it began; `nil` for now.
struct Judgement {
    var status: LocationStatus
    var reason: String
    var began: Duration?
}

extension Device {
    /// The status: offline before lost before stale before live.
    func judge(_ settings: FixedSettings, at now: Duration) -> Judgement {
        if let (claim, reason) = claims.effective(at: now) {
            return Judgement(status: .offline, reason: reason, began: claim.since)
        }
        if hasNoFix { return Judgement(status: .lost, reason: "no-fix") }
        if let lostAfter = settings.lostAfter, let fixedAt, now >= fixedAt + lostAfter {
            return Judgement(status: .lost, reason: "position-too-old", began: fixedAt + lostAfter)
        }
        if let stuckAfter = settings.stuckAfter, let since = stuck?.since, now >= since + stuckAfter {
            return Judgement(status: .lost, reason: "position-stuck", began: since + stuckAfter)
        }
        if let staleAfter = settings.staleAfter, !isSilentByIntent {
            guard let lastHeard else { return Judgement(status: .stale, reason: "age-unknown") }
            if now >= lastHeard + staleAfter {
                return Judgement(status: .stale, reason: "silent", began: lastHeard + staleAfter)
            }
        }
        return Judgement(status: .live, reason: "heard")
    }

    /// Takes a judgement over into the location.
    ///
    /// - Parameter isNew: Whether the status is another one, so that it begins now or when the judgement says.
    func take(_ judgement: Judgement, isNew: Bool, at now: Instant) {
        location.status = judgement.status
        location.statusReason = judgement.reason
        if isNew {
            location.statusSince = judgement.began.map { now.wall.advanced(by: $0 - now.monotonic) } ?? now.wall
        }
        // A lost location has no position, only a last one.
        if hasNoFix || judgement.status == .lost, let position = location.position {
            // One that is stuck says so again and again: since when it has been there is what is known.
            let stuckSince = judgement.reason == "position-stuck" ? stuck?.arrived : nil
            location.lastPosition = LastPosition(
                position: position, floor: location.floor,
                time: stuckSince ?? location.positionTime ?? location.time)
            (location.position, location.rawPosition) = (nil, nil)
        }
    }

    /// The next moment at which time alone changes something.
    func nextDeadline(_ settings: FixedSettings, after now: Duration) -> Duration? {
        var next: Duration?
        func consider(_ deadline: Duration) {
            if deadline > now, deadline < next ?? .seconds(Int64.max) { next = deadline }
        }
        if let claim = claims.own { consider(claim.effective) }
        if let claim = claims.source { consider(claim.effective) }
        if let limit = settings.lostAfter, let fixedAt { consider(fixedAt + limit) }
        if let limit = settings.stuckAfter, let since = stuck?.since { consider(since + limit) }
        if let limit = settings.staleAfter, let lastHeard, !isSilentByIntent { consider(lastHeard + limit) }
        if let presence, let areas = settings.areas, let due = presence.nextDeadline(areas) { consider(due) }
        // Removal stands also when its time has passed: it is done by the agenda, not by judging.
        guard let removal = settings.removeAfter.map({ lastArrival + $0 }) else { return next }
        return next.map { min($0, removal) } ?? removal
    }
}
