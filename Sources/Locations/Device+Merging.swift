internal import Geometry
internal import Timestamps

extension Device {
    /// Takes over what a report says. What it does not mention stays.
    ///
    /// - Parameter fault: Gets what cannot be used only because of the source's settings.
    func merge(
        _ report: Report, time: Timestamp?, _ settings: SourceSettings, at now: Instant, fault: (String) -> Void
    ) {
        if isRestored {
            // They may have come from a configuration that was changed since; a device that says otherwise says it again.
            location.type = settings.type ?? location.type
            location.building = settings.building ?? location.building
        }
        mergePosition(report, fixed: report.fixTime ?? time ?? now.wall, settings, at: now)
        report.heading.merge(into: &location.heading)
        report.speed.merge(into: &location.speed)
        report.accuracy.merge(into: &location.accuracy)
        report.altitude.merge(into: &location.altitude)
        report.charge.merge(into: &location.charge)
        report.name.merge(into: &location.name)
        report.type.merge(into: &location.type, unknown: settings.type)
        report.building.merge(into: &location.building, unknown: settings.building)
        switch report.floor {
        case .absent: break
        case .unknown: location.floor = nil
        case .value(let floor):
            location.floor = settings.index(of: floor)
            if location.floor == nil { fault(settings.floors == nil ? "floor-not-an-integer" : "floor-not-in-table") }
        }
        if !location.properties.merge(report) { fault("properties-too-large") }
        location.time = time ?? now.wall
    }

    private func mergePosition(_ report: Report, fixed: Timestamp, _ settings: SourceSettings, at now: Instant) {
        switch report.position {
        case .absent: break
        case .value(.plan): hasNoFix = false
        case .unknown: hasNoFix = true
        case .value(.geographic(let position)):
            // A fix with a time of its own is ordered by it.
            if report.fixTime != nil, let known = location.positionTime, fixed < known { return }
            hasNoFix = false
            location.positionTime = fixed
            fixedAt = now.monotonic - max(.zero, now.wall.duration(since: fixed))
            let known = location.position ?? location.lastPosition?.position
            if let minDistance = settings.minDistance, let known, known.distance(to: position) < minDistance {
                location.position = known
            } else {
                location.position = position
            }
            location.lastPosition = nil
        }
    }
}

extension Reading {
    /// Takes the reading over; what is unknown falls back.
    fileprivate func merge(into known: inout Value?, unknown fallback: Value?) {
        if case .unknown = self { known = fallback } else { merge(into: &known) }
    }
}

extension SourceSettings {
    /// `nil` for a floor that is not in the table, or without a table no integer.
    fileprivate func index(of floor: ReportedFloor) -> Int? {
        if let floors { return floors.index(of: floor) }
        return switch floor {
        case .number(let number): Int(exactly: number)
        case .text(let text): Int(text)
        }
    }
}
