internal import Geometry
internal import Timestamps

extension Device {
    /// Takes over what a report says of the position, and what follows from it for speed and heading.
    ///
    /// - Returns: `false` for a fix that is not taken over; its accuracy belongs to it.
    func mergeFix(
        _ report: Report, on map: Identifier?, time: Timestamp?, retained: Bool, _ settings: FixedSettings,
        at now: Instant, fault: (String) -> Void
    ) -> Bool {
        switch report.position {
        case .absent, .value(.plan): return true
        case .unknown:
            hasNoFix = true
            movement?.interrupt()
            return true
        case .value(.geographic(let position)):
            let fixed = report.fixTime ?? time ?? now.wall
            // A fix with a time of its own is ordered by it.
            if report.fixTime != nil, let known = location.positionTime, fixed < known { return false }
            if let movement {
                let fix = Fix(
                    position: position, map: map, time: report.fixTime ?? time,
                    arrival: retained ? nil : now.monotonic, accuracy: report.accuracy.value)
                guard follow(fix, movement, settings) else {
                    fault("position-too-fast")
                    return false
                }
            }
            if !retained { stuck?.note(position, fixed: fixed, speed: report.speed.value, at: now.monotonic) }
            hasNoFix = false
            location.positionTime = fixed
            fixedAt = now.monotonic - max(.zero, now.wall.duration(since: fixed))
            take(position, on: map, settings)
            return true
        }
    }

    private func take(_ position: Position, on map: Identifier?, _ settings: FixedSettings) {
        let known = location.position ?? location.lastPosition?.position
        location.lastPosition = nil
        location.position = position
        if map != self.map {
            if map != nil, self.map != nil {
                // What the other map said of floor and building does not hold on this one.
                location.floor = nil
                location.building = entry?.building ?? settings.building
            }
            self.map = map
            breaksTrail = breaksTrail || known != nil
        }
    }

    /// Compares a fix with the ones before.
    ///
    /// - Returns: `false` where the device cannot have come there.
    private func follow(_ fix: Fix, _ movement: Movement, _ settings: FixedSettings) -> Bool {
        if let maxSpeed = settings.maxSpeed {
            switch movement.judge(fix, maxSpeed: maxSpeed) {
            case .credible: break
            case .outlier: return false
            case .insisted:
                movement.interrupt()
                breaksTrail = true
            }
        }
        movement.advance(to: fix)
        return true
    }

    /// Computes what a report with a fix, or with none any more, does not say itself.
    func derive(_ report: Report, _ settings: FixedSettings) {
        guard let movement, !report.position.isAbsent, !report.isOnUnknownMap else { return }
        if settings.derive.contains(.speed), report.speed.value == nil { location.speed = movement.speed }
        if settings.derive.contains(.heading), report.heading.value == nil { location.heading = movement.heading }
    }
}
