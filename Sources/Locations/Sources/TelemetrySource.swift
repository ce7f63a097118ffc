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

    public let id: Identifier
    @exclusivity(unchecked) var fixedSettings: FixedSettings
    @exclusivity(unchecked) public internal(set) var status: SourceStatus
    @exclusivity(unchecked) public internal(set) var counts = StatusCounts()
    @exclusivity(unchecked) public internal(set) var lastMessage: Timestamp?
    @exclusivity(unchecked) public var observers: [any LocationObserver] = []

    @exclusivity(unchecked) var devices: [Identifier: Device] = [:]
    @exclusivity(unchecked) var agenda = Agenda<Device>()
    /// Connection messages of devices that have no location yet.
    private(set) var offlineBeforeBirth: [Identifier: OfflineClaim] = [:]
    /// The whole source says that it is offline: holds for devices that come later too.
    private var sourceOffline: OfflineClaim?
    @exclusivity(unchecked) var connection = SourceConnection.opening
    @exclusivity(unchecked) var wasHeard = false
    /// What an earlier process published.
    var restored: SourceStatus?
    /// What comes now may have waited at the broker: it is as old as it says. Known by whoever connects.
    @exclusivity(unchecked) public var isCatchingUp = false
    @exclusivity(unchecked) private var faults: [String: Int] = [:]
    @exclusivity(unchecked) private var clockResets: [Identifier] = []
    @exclusivity(unchecked) var intervals: IntervalWatch

    public init(id: Identifier, settings: SourceSettings, at now: Instant) {
        self.id = id
        fixedSettings = FixedSettings(settings)
        intervals = IntervalWatch(staleAfter: settings.staleAfter)
        status = SourceStatus(kind: .notInitialised, since: now.wall)
    }

    public internal(set) var settings: SourceSettings {
        get { fixedSettings.value }
        set { fixedSettings = FixedSettings(newValue) }
    }

    /// Bytes of a payload that are read at most. Beside the settings, which are large to copy.
    public var maxPayload: Int { fixedSettings.maxPayload }

    public var locations: [Location] { devices.values.map(\.location) }

    public func location(_ id: Identifier) -> Location? { devices[id]?.location }

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

    /// A device that reports so seldom that one lost message makes it stale: told once, of one device.
    public func takeSlowDevice() -> (device: Identifier, interval: Duration)? { intervals.take() }

    // MARK: What devices say

    /// Merges a report into its device's location.
    ///
    /// - Parameter retained: A stored copy: no sign of life by itself, its age counts.
    public func apply(_ report: consuming Report, retained: Bool, at now: Instant) -> Outcome {
        let settings = fixedSettings
        if report.isConnectionOnly { return applyConnection(report, retained: retained, at: now) }
        let known = devices[report.id]
        let map: Identifier?
        do throws(Rejection) {
            map = try report.place(of: known, settings)
        } catch {
            return .rejected(error)
        }
        let time = report.judgeTimes(after: known?.clock(of: report.stream), settings, at: now)
        if let known {
            switch known.order(report, time: time, retained: retained) {
            case .newer:
                // What was read back has said the same already.
                if retained, known.isRestored, !known.isNews(report, settings) { return .duplicate }
            case .clockReset:
                clockResets.append(report.id)
                known.location.positionTime = nil  // of the clock that is no more
                known.movement?.forgetTimes()
            case .duplicate: return notApplied(.duplicate, known, retained: retained, at: now)
            case .late:
                if let fix = LateFix(report, time: time) {
                    for observer in observers { observer.fixCameLate(fix, from: self, at: now) }
                }
                return notApplied(.late, known, retained: retained, at: now)
            }
        } else {
            guard devices.count < settings.maxLocations else {
                return .rejected(Rejection(.locationLimit, "more than \(settings.maxLocations) locations"))
            }
        }
        let device = known ?? create(report, time: time, at: now)
        for fault in report.faults { faults[fault, default: 0] += 1 }
        device.merge(report, on: map, time: time, retained: retained, settings, at: now) {
            faults[$0, default: 0] += 1
        }
        if !retained, !isCatchingUp, known != nil { intervals.note(device, at: now.monotonic) }
        device.isSilentByIntent = report.announcesSilence
        device.renewLife(time: time, isLive: !retained && !(isCatchingUp && time != nil), at: now)
        lastMessage = now.wall
        switch report.connection {
        case .offline: device.claims.own = device.claims.own ?? claim(retained: retained, at: now)
        // Live telemetry is as good as an "online".
        case .online, nil: if !retained { device.claims = OfflineClaims() }
        }
        settle(device, cause: .report, isNew: known == nil, at: now)
        return .applied
    }

    /// A message that says nothing for us, but that its device lives.
    public func heard(_ id: Identifier, at now: Instant) {
        guard !isCatchingUp, let device = devices[id] else { return }
        heard(device, at: now)
    }

    private func heard(_ device: Device, at now: Instant) {
        device.renewLife(time: nil, isLive: true, at: now)
        lastMessage = now.wall
        device.claims = OfflineClaims()
        settle(device, cause: .time, isNew: false, at: now, onlyIfStatusChanges: true)
    }

    private func notApplied(_ outcome: Outcome, _ device: Device, retained: Bool, at now: Instant) -> Outcome {
        if !retained, !isCatchingUp { heard(device, at: now) }
        return outcome
    }

    private func create(_ report: Report, time: Timestamp?, at now: Instant) -> Device {
        let settings = fixedSettings
        var location = Location(id: report.id, source: id, time: time ?? now.wall, statusSince: now.wall)
        location.type = settings.type
        location.building = settings.building
        let device = Device(location: location, arrival: now.monotonic, settings)
        if let building = device.entry?.building { device.location.building = building }
        device.claims.own = offlineBeforeBirth.removeValue(forKey: report.id)
        device.claims.source = sourceOffline
        _ = device.order(report, time: time, retained: false)
        devices[report.id] = device
        counts[location.status] += 1
        return device
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

    /// Takes all devices away.
    public func clear(at now: Instant) {
        for id in devices.keys.sorted() { withdraw(id, at: now) }
        offlineBeforeBirth.removeAll()
    }

    // MARK: Who is connected

    private func applyConnection(_ report: Report, retained: Bool, at now: Instant) -> Outcome {
        guard let device = devices[report.id] else {
            if report.connection == .online {
                offlineBeforeBirth[report.id] = nil
            } else if offlineBeforeBirth.count < settings.maxLocations {
                offlineBeforeBirth[report.id] = claim(retained: retained, at: now)
            }
            return .ignored("no-location")
        }
        switch (report.connection, retained) {
        case (.online, false):
            if !isCatchingUp { device.renewLife(time: nil, isLive: true, at: now) }
            device.claims = OfflineClaims()
        case (.online, true): break  // a stored "online" proves nothing
        default:
            // Mostly a will: the broker speaks, not the device, so it is no sign of life.
            if !retained { device.lastArrival = now.monotonic }
            device.claims.own = device.claims.own ?? claim(retained: retained, at: now)
        }
        if !retained { lastMessage = now.wall }
        device.isSilentByIntent = report.announcesSilence
        device.location.properties.merge(report) { _ in }  // a state at most, which is short
        settle(device, cause: .report, isNew: false, at: now)
        return .applied
    }

    /// The whole source says that it is connected or not.
    public func apply(_ connection: Report.Connection, retained: Bool, at now: Instant) {
        switch connection {
        case .offline: sourceOffline = sourceOffline ?? claim(retained: retained, at: now)
        case .online:
            guard !retained else { return }
            sourceOffline = nil
        }
        for device in devices.values.sorted(by: { $0.location.id < $1.location.id }) {
            device.claims.source = sourceOffline.map { device.claims.source ?? $0 }
            settle(device, cause: .time, isNew: false, at: now, onlyIfStatusChanges: true)
        }
    }

    private func claim(retained: Bool, at now: Instant) -> OfflineClaim {
        // What was stored has been true for a while: there is nothing to wait for.
        OfflineClaim(since: now.monotonic, effective: retained ? now.monotonic : now.monotonic + settings.hold)
    }
}
