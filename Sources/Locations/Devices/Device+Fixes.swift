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
            enter(map, settings)
            var counted = position
            if let movement {
                let fix = Fix(
                    position: position, map: map, time: report.fixTime ?? time,
                    arrival: retained ? nil : now.monotonic, accuracy: report.accuracy.value)
                do {
                    counted = try follow(fix, of: report, movement, settings)
                } catch {
                    fault(error.rawValue)
                    return false
                }
            }
            if !retained { stuck?.note(position, fixed: fixed, speed: report.speed.value, at: now.monotonic) }
            hasNoFix = false
            // The same fix said again is not another one, however the clocks have gone since.
            if fixed != location.positionTime || fixedAt == nil {
                fixedAt = now.monotonic - max(.zero, now.wall.duration(since: fixed))
            }
            location.positionTime = fixed
            location.lastPosition = nil
            location.position = counted
            location.rawPosition = counted == position ? nil : position
            return true
        }
    }

    /// A position on another map never contradicts the ones before, so it is taken over in any case.
    private func enter(_ map: Identifier?, _ settings: FixedSettings) {
        guard map != self.map else { return }
        if map != nil, self.map != nil {
            // What the other map said of floor and building does not hold on this one.
            location.floor = nil
            location.building = entry?.building ?? settings.building
        }
        self.map = map
        breaksTrail = breaksTrail || location.position != nil || location.lastPosition != nil
    }

    /// Why a fix is not taken over.
    private enum Doubt: String, Error {
        case tooFast = "position-too-fast"
        case unreachable = "position-unreachable"
    }

    /// Holds a fix against the ones before and against the plan.
    ///
    /// - Returns: The position that counts.
    private func follow(
        _ fix: Fix, of report: Report, _ movement: Movement, _ settings: FixedSettings
    ) throws(Doubt) -> Position {
        let accuracy = max(fix.accuracy ?? 0, MapMatching.precision)
        let fastest = settings.maxSpeed ?? MapMatching.fastest
        func placement(after start: MatchedPlace?) -> MapMatching.Placement? {
            guard let matching = settings.matching else { return nil }
            let building = building(by: report, settings)
            let place = Place(
                position: fix.position, building: building, floor: floor(by: report, in: building, settings))
            return MapMatching(matcher: matching.matcher).placement(
                of: place, accuracy: accuracy, after: start, way: movement.farthestTravel(to: fix, fastest))
        }
        let isTooFast = settings.maxSpeed.map { !movement.isReachable(fix, $0) } ?? false
        var placed = isTooFast ? nil : placement(after: movement.standing?.place)
        if !isTooFast, placed?.isContradiction != true {
            movement.trust()
        } else if movement.doubt(fix, fastest) {
            // It was carried, or the plan is wrong.
            movement.interrupt()
            breaksTrail = true
            placed = placement(after: nil)
        } else if isTooFast {
            throw .tooFast
        } else if case .unreachable = placed, settings.maxSpeed != nil {
            throw .unreachable
        }
        movement.advance(to: fix)
        guard let placed else { return fix.position }
        movement.stand(at: placed.place, by: fix)
        return placed.position(accuracy: accuracy) ?? fix.position
    }

    /// Computes what a report with a fix, or with none any more, does not say itself.
    func derive(_ report: Report, _ settings: FixedSettings) {
        guard let movement, !report.position.isAbsent, !report.isOnUnknownMap else { return }
        if settings.derive.contains(.speed), report.speed.value == nil { location.speed = movement.speed }
        if settings.derive.contains(.averageSpeed) {
            location.averageSpeed = location.properties["averageSpeed"] == nil ? movement.averageSpeed : nil
        }
        if settings.derive.contains(.heading), report.heading.value == nil { location.heading = movement.heading }
    }
}
