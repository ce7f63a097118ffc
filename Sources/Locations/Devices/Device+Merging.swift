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
        let before = (location.floor, location.building)
        let fixed = mergeFix(report, on: map, time: time, retained: retained, settings, at: now, fault: fault)
        // Where nobody knows the plan, nobody knows what directions and floors on it are.
        if !report.isOnUnknownMap {
            report.heading.merge(into: &location.heading)
            if fixed { report.accuracy.merge(into: &location.accuracy) }
            // Those of a map go with the position on it.
            if fixed || map == nil {
                location.building = building(by: report, settings)
                mergeFloor(report, settings, fault: fault)
            }
        }
        if settings.matching != nil, report.position.isAbsent,
            (location.floor, location.building) != before
        {
            matchAgain(settings.matching, keepsPlace: false)
        }
        report.speed.merge(into: &location.speed)
        report.altitude.merge(into: &location.altitude)
        report.charge.merge(into: &location.charge)
        report.name.merge(into: &location.name, ifNot: entry?.name, unknown: nil)
        report.type.merge(into: &location.type, ifNot: entry?.type, unknown: settings.type)
        location.properties.merge(report, fault: fault)
        if fixed { derive(report, settings) }
        location.time = time ?? now.wall
    }

    private func mergeFloor(_ report: Report, _ settings: FixedSettings, fault: (String) -> Void) {
        guard !report.floor.isAbsent else { return }
        location.floor = floor(by: report, in: location.building, settings)
        if case .value = report.floor, location.floor == nil {
            fault(settings.value.hasFloorTable(location.building) ? "floor-not-in-table" : "floor-not-an-integer")
        }
    }
}

extension Device {
    /// The floor after a report.
    func floor(by report: Report, in building: String?, _ settings: FixedSettings) -> Int? {
        switch report.floor {
        case .absent: location.floor
        case .unknown: nil
        case .value(let floor): settings.value.index(of: floor, building: building)
        }
    }

    /// The building after a report.
    func building(by report: Report, _ settings: FixedSettings) -> String? {
        var building = location.building
        report.building.merge(into: &building, ifNot: entry?.building, unknown: settings.building)
        return building
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
