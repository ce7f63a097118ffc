public import Timestamps

/// A location source fed by devices' reports: orders them, merges them and works out who is alive.
public final class TelemetrySource: LocationSource {
    /// What became of a report.
    public enum Outcome: Sendable, Equatable {
        case applied
        /// Said before, word for word.
        case duplicate
        /// Older than what is known.
        case late
        /// Nothing to apply it to.
        case ignored(String)
        case rejected(Rejection)
    }

    /// Connection messages of devices without a location that are kept at most.
    static let keptConnections = 1_000

    public let id: Identifier
    public let settings: SourceSettings
    public private(set) var status: SourceStatus
    public private(set) var counts = StatusCounts()
    public var observers: [any LocationObserver] = []
    /// Whether positions on a plan pass as they are: for showing what a report says before a map gives it a place.
    public var passesPlanPositions = false
    private var faults: [String: Int] = [:]
    private var clockResets: [Identifier] = []
    public private(set) var lastMessage: Timestamp?

    private var devices: [Identifier: Device] = [:]
    private var agenda = Agenda<Device>()
    private var offlineBeforeBirth: [Identifier: OfflineClaim] = [:]
    /// The whole source says that it is offline: holds for devices that come later too.
    private var sourceOffline: OfflineClaim?
    private var link = Link.initialising
    private var wasHeard = false

    public init(id: Identifier, settings: SourceSettings, at now: Instant) {
        self.id = id
        self.settings = settings
        status = SourceStatus(kind: .notInitialised, since: now.wall)
    }

    public var locations: [Location] { devices.values.map(\.location) }

    /// Faults in single fields by slug since the last call.
    public func takeFaults() -> [String: Int] {
        guard !faults.isEmpty else { return [:] }
        defer { faults.removeAll() }
        return faults
    }

    /// Devices whose clock went back for good since the last call.
    public func takeClockResets() -> [Identifier] {
        guard !clockResets.isEmpty else { return [] }
        defer { clockResets.removeAll() }
        return clockResets
    }

    public func location(_ id: Identifier) -> Location? { devices[id]?.location }

    // MARK: Reports

    /// Merges a report into its device's location.
    ///
    /// - Parameter retained: A stored copy: no sign of life by itself, its age counts.
    public func apply(_ report: Report, retained: Bool, at now: Instant) -> Outcome {
        var report = report
        if report.isConnectionOnly { return applyConnection(report, retained: retained, at: now) }
        if case .value(.plan) = report.position, !passesPlanPositions {
            return .rejected(Rejection(.unknownMap, "positions on a plan need a map"))
        }
        let known = devices[report.id]
        let time = judgeTimes(&report, of: known, at: now)
        if let known {
            if let verdict = order(report, of: known, time: time, retained: retained) {
                if !retained { heard(known, at: now) }
                return verdict
            }
        } else {
            guard devices.count < settings.maxLocations else {
                return .rejected(Rejection(.locationLimit, "more than \(settings.maxLocations) locations"))
            }
        }
        for fault in report.faults { faults[fault, default: 0] += 1 }
        let device = known ?? create(report, time: time, at: now)
        device.markHeard(report.stream)
        device.isSilentByIntent = report.announcesSilence
        merge(report, into: device, time: time, at: now)
        renewLife(of: device, time: time, retained: retained, at: now)
        // Live telemetry is as good as an "online".
        if let connection = report.connection ?? (retained ? nil : .online) {
            claim(connection, of: device, retained: retained, at: now)
        }
        settle(device, cause: .report, isNew: known == nil, at: now)
        return .applied
    }

    /// A message that says nothing for us, but that its device lives.
    public func heard(_ id: Identifier, at now: Instant) {
        guard let device = devices[id] else { return }
        heard(device, at: now)
    }

    private func heard(_ device: Device, at now: Instant) {
        renewLife(of: device, time: nil, retained: false, at: now)
        device.offline = nil
        settle(device, cause: .time, isNew: false, at: now, onlyIfStatusChanges: true)
    }

    /// Takes a device away.
    ///
    /// - Returns: Whether there was one.
    @discardableResult
    public func withdraw(_ id: Identifier, at now: Instant) -> Bool {
        offlineBeforeBirth[id] = nil
        guard let device = devices.removeValue(forKey: id) else { return false }
        device.scheduled = nil
        counts[device.location.status] -= 1
        for observer in observers { observer.locationsDeleted([id], from: self, at: now) }
        updateStatus(at: now)
        return true
    }

    /// Keeps of the report's times what can be used, and counts what cannot.
    private func judgeTimes(_ report: inout Report, of device: Device?, at now: Instant) -> Timestamp? {
        guard settings.clock == .device else {
            report.fixTime = nil
            return nil
        }
        if let fix = report.fixTime, let fault = DeviceClock.fault(fix, arrival: now.wall, settings) {
            report.fixTime = nil
            report.faults.append("fix-\(fault)")
        }
        guard var time = report.time else { return nil }
        // In the hour that comes twice, the reading that does not go back.
        if let later = report.laterTime, let clock = device?.clock(of: report.stream), time < clock { time = later }
        guard let fault = DeviceClock.fault(time, arrival: now.wall, settings) else { return time }
        report.faults.append(fault)
        return nil
    }

    /// - Returns: `nil` where the report is to be applied.
    private func order(_ report: Report, of device: Device, time: Timestamp?, retained: Bool) -> Outcome? {
        guard let time else {
            // A stored copy without a time tells nothing new of a stream that was heard.
            return retained && device.hasHeard(report.stream) ? .duplicate : nil
        }
        switch device.order(report, time: time, retained: retained) {
        case .duplicate: return .duplicate
        case .late: return .late
        case .clockReset:
            clockResets.append(report.id)
            return nil
        case .newer: return nil
        }
    }

    private func create(_ report: Report, time: Timestamp?, at now: Instant) -> Device {
        var location = Location(id: report.id, source: id, time: time ?? now.wall, statusSince: now.wall)
        location.type = settings.type
        location.building = settings.building
        let device = Device(location: location, arrival: now.monotonic)
        device.offline = offlineBeforeBirth.removeValue(forKey: report.id) ?? sourceOffline
        if let time { _ = device.order(report, time: time, retained: false) }
        devices[report.id] = device
        counts[location.status] += 1
        return device
    }

    private func merge(_ report: Report, into device: Device, time: Timestamp?, at now: Instant) {
        mergePosition(report, into: device, time: time, at: now)
        report.heading.merge(into: &device.location.heading)
        report.speed.merge(into: &device.location.speed)
        report.accuracy.merge(into: &device.location.accuracy)
        report.altitude.merge(into: &device.location.altitude)
        report.charge.merge(into: &device.location.charge)
        report.name.merge(into: &device.location.name)
        if case .unknown = report.type { device.location.type = settings.type }
        if case .value(let type) = report.type { device.location.type = type }
        if case .unknown = report.building { device.location.building = settings.building }
        if case .value(let building) = report.building { device.location.building = building }
        switch report.floor {
        case .absent: break
        case .unknown: device.location.floor = nil
        case .value(let floor): device.location.floor = index(of: floor)
        }
        device.location.properties.merge(report)
        device.location.time = time ?? now.wall
    }

    private func index(of floor: ReportedFloor) -> Int? {
        if let table = settings.floors {
            if let index = table.index(of: floor) { return index }
            faults["floor-not-in-table", default: 0] += 1
            return nil
        }
        let index: Int? =
            switch floor {
            case .number(let number): Int(exactly: number)
            case .text(let text): Int(text)
            }
        if index == nil { faults["floor-not-an-integer", default: 0] += 1 }
        return index
    }

    private func mergePosition(_ report: Report, into device: Device, time: Timestamp?, at now: Instant) {
        switch report.position {
        case .absent: break
        case .value(.plan): device.hasNoFix = false
        case .unknown: device.hasNoFix = true
        case .value(.geographic(let position)):
            if let fix = report.fixTime {
                if let newest = device.newestFix, fix < newest { return }
                device.newestFix = fix
            }
            let fixed = report.fixTime ?? time ?? now.wall
            device.hasNoFix = false
            device.location.positionTime = fixed
            device.fixedAt = now.monotonic - max(.zero, now.wall.duration(since: fixed))
            let known = device.location.position ?? device.location.lastPosition?.position
            if let minDistance = settings.minDistance, let known, known.distance(to: position) < minDistance {
                device.location.position = known
            } else {
                device.location.position = position
            }
            device.location.lastPosition = nil
        }
    }

    // MARK: Life

    private func renewLife(of device: Device, time: Timestamp?, retained: Bool, at now: Instant) {
        device.lastArrival = now.monotonic
        lastMessage = now.wall
        if retained {
            guard let time else { return }
            let heard = now.monotonic - max(.zero, now.wall.duration(since: time))
            device.lastHeard = max(device.lastHeard ?? heard, heard)
        } else {
            device.lastHeard = now.monotonic
        }
    }

    private func applyConnection(_ report: Report, retained: Bool, at now: Instant) -> Outcome {
        guard let connection = report.connection else { return .ignored("empty") }
        guard let device = devices[report.id] else {
            switch connection {
            case .online: offlineBeforeBirth[report.id] = nil
            case .offline where offlineBeforeBirth.count < Self.keptConnections:
                offlineBeforeBirth[report.id] = offlineClaim(.connection, retained: retained, at: now)
            case .offline: break
            }
            return .ignored("no-location")
        }
        if !retained {
            if connection == .online {
                renewLife(of: device, time: nil, retained: false, at: now)
            } else {  // mostly a will: the broker speaks, not the device
                device.lastArrival = now.monotonic
                lastMessage = now.wall
            }
        }
        device.isSilentByIntent = report.announcesSilence
        device.location.properties.merge(report)
        claim(connection, of: device, retained: retained, at: now)
        settle(device, cause: .report, isNew: false, at: now)
        return .applied
    }

    private func claim(_ connection: Report.Connection, of device: Device, retained: Bool, at now: Instant) {
        switch connection {
        case .offline:
            if device.offline == nil { device.offline = offlineClaim(.connection, retained: retained, at: now) }
        case .online:
            // A stored "online" proves nothing.
            if !retained { device.offline = nil }
        }
    }

    private func offlineClaim(_ origin: OfflineClaim.Origin, retained: Bool, at now: Instant) -> OfflineClaim {
        // What was stored has been true for a while: there is nothing to wait for.
        OfflineClaim(
            origin: origin, since: now, effective: retained ? now.monotonic : now.monotonic + settings.hold)
    }

    /// The whole source says that it is connected or not.
    public func apply(_ connection: Report.Connection, retained: Bool, at now: Instant) {
        switch connection {
        case .offline: sourceOffline = sourceOffline ?? offlineClaim(.source, retained: retained, at: now)
        case .online: if !retained { sourceOffline = nil }
        }
        for device in devices.values.sorted(by: { $0.location.id < $1.location.id }) {
            switch connection {
            case .offline:
                guard device.offline == nil else { continue }
                device.offline = sourceOffline
            case .online:
                guard device.offline?.origin == .source, !retained else { continue }
                device.offline = nil
            }
            settle(device, cause: .time, isNew: false, at: now, onlyIfStatusChanges: true)
        }
    }

    // MARK: Status

    /// Judges a device anew, tells the observers, and sees to it that time comes back to it.
    private func settle(
        _ device: Device, cause: LocationUpdate.Cause, isNew: Bool, at now: Instant, onlyIfStatusChanges: Bool = false
    ) {
        let judgement = device.judge(settings, at: now.monotonic)
        let changed = device.location.status != judgement.status
        if changed || device.location.statusReason != judgement.reason {
            counts[device.location.status] -= 1
            counts[judgement.status] += 1
            device.location.status = judgement.status
            device.location.statusReason = judgement.reason
            if changed || isNew {
                device.location.statusSince =
                    judgement.began.map { now.wall.advanced(by: $0 - now.monotonic) } ?? now.wall
            }
        }
        device.showOrHidePosition(judgement)
        schedule(device, at: now)
        if changed || isNew || !onlyIfStatusChanges {
            let update = LocationUpdate(location: device.location, cause: cause, isUrgent: changed || isNew)
            for observer in observers { observer.locationsUpdated([update], from: self, at: now) }
        }
        wasHeard = wasHeard || device.lastHeard != nil
        updateStatus(at: now)
    }

    private func schedule(_ device: Device, at now: Instant) {
        guard let deadline = device.nextDeadline(settings, after: now.monotonic) else { return }
        // An earlier entry will look again; only an earlier need must be added.
        if let scheduled = device.scheduled, scheduled <= deadline { return }
        device.scheduled = deadline
        agenda.add(device, at: deadline)
    }

    public var nextDeadline: Duration? { agenda.nextTime }

    public func advance(to now: Instant) {
        while let (time, device) = agenda.popDue(at: now.monotonic) {
            guard device.scheduled == time else { continue }
            device.scheduled = nil
            if let removeAfter = settings.removeAfter, now.monotonic >= device.lastArrival + removeAfter {
                withdraw(device.location.id, at: now)
            } else {
                settle(device, cause: .time, isNew: false, at: now, onlyIfStatusChanges: true)
            }
        }
    }

    // MARK: The source's own status

    private enum Link: Equatable {
        case initialising, open, denied, disconnected
        case stopped(String)
    }

    public func start(at now: Instant) { connect(.initialising, at: now) }

    public func stop(at now: Instant) { connect(.stopped("stopped"), at: now) }

    /// The bridge ends.
    public func shutDown(at now: Instant) { connect(.stopped("shutdown"), at: now) }

    /// The bridge is connected, and the source's filters are asked for.
    public func linkOpening(at now: Instant) { connect(.initialising, at: now) }

    /// All of the source's filters are granted, and its stored messages are read.
    public func linkOpened(at now: Instant) { connect(.open, at: now) }

    /// The broker refuses a filter of the source.
    public func linkDenied(at now: Instant) { connect(.denied, at: now) }

    public func linkLost(at now: Instant) { connect(.disconnected, at: now) }

    private func connect(_ link: Link, at now: Instant) {
        self.link = link
        updateStatus(at: now)
    }

    private func updateStatus(at now: Instant) {
        let isAvailable = settings.staleAfter == nil ? wasHeard : counts[.live] > 0
        let (kind, reason): (SourceStatus.Kind, String) =
            switch link {
            case .initialising: (.initialising, "")
            case .denied: (.unavailable, "accessDenied")
            case .disconnected: (.unavailable, "disconnected")
            case .stopped(let reason): (.inactive, reason)
            case .open: isAvailable ? (.available, "") : (.unavailable, "no-live-location")
            }
        guard kind != status.kind || reason != status.reason else { return }
        status = SourceStatus(kind: kind, reason: reason, since: now.wall)
        for observer in observers { observer.statusChanged(of: self, at: now) }
    }
}

extension Device {
    /// A lost location has no position, only a last one.
    fileprivate func showOrHidePosition(_ judgement: Judgement) {
        let isLost = hasNoFix || judgement.status == .lost
        if isLost, let position = location.position {
            location.lastPosition = LastPosition(
                position: position, floor: location.floor, time: location.positionTime ?? location.time)
            location.position = nil
        }
    }
}
