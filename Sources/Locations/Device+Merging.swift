internal import Geometry
internal import Timestamps

extension Device {
    /// Takes over what a report says. What it does not mention stays.
    ///
    /// - Parameters:
    ///   - map: The map of its position, where that was given on one.
    ///   - fault: Gets what cannot be used only because of the source's settings.
    func merge(
        _ report: Report, on map: Identifier?, time: Timestamp?, retained: Bool, _ settings: FixedSettings,
        at now: Instant, fault: (String) -> Void
    ) {
        if isRestored {
            // They may have come from a configuration that was changed since; a device that says otherwise says it again.
            location.type = entry?.type ?? settings.type ?? location.type
            location.building = entry?.building ?? settings.building ?? location.building
        }
        let fixed = mergeFix(report, on: map, time: time, retained: retained, settings, at: now, fault: fault)
        // Where nobody knows the plan, nobody knows what directions and floors on it are.
        if !report.isOnUnknownMap {
            report.heading.merge(into: &location.heading)
            if fixed { report.accuracy.merge(into: &location.accuracy) }
            // Those of a map go with the position on it.
            if fixed || map == nil {
                report.building.merge(into: &location.building, ifNot: entry?.building, unknown: settings.building)
                mergeFloor(report, settings, fault: fault)
            }
        }
        report.speed.merge(into: &location.speed)
        if fixed { derive(report, settings) }
        report.altitude.merge(into: &location.altitude)
        report.charge.merge(into: &location.charge)
        report.name.merge(into: &location.name, ifNot: entry?.name, unknown: nil)
        report.type.merge(into: &location.type, ifNot: entry?.type, unknown: settings.type)
        location.properties.merge(report, fault: fault)
        location.time = time ?? now.wall
    }

    private func mergeFloor(_ report: Report, _ settings: FixedSettings, fault: (String) -> Void) {
        switch report.floor {
        case .absent: break
        case .unknown: location.floor = nil
        case .value(let floor):
            location.floor = settings.value.index(of: floor, building: location.building)
            if location.floor == nil {
                fault(settings.value.hasFloorTable(location.building) ? "floor-not-in-table" : "floor-not-an-integer")
            }
        }
    }
}

extension Reading {
    /// Takes the reading over, unless the operator knows better; what is unknown falls back.
    fileprivate func merge(into known: inout Value?, ifNot certain: Value?, unknown fallback: Value?) {
        if let certain {
            known = certain
        } else if case .unknown = self {
            known = fallback
        } else {
            merge(into: &known)
        }
    }
}
