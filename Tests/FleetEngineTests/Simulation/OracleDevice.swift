import JSON
import Timestamps

/// One device as the bridge must know it.
struct OracleDevice {
    struct Position: Equatable { var latitude, longitude: Double }

    /// Somebody says that the device is offline; it counts from `effective` on, by the monotonic clock.
    struct Claim {
        var effective: Duration

        init(retained: Bool, at now: Instant) { effective = retained ? now.monotonic : now.monotonic + Oracle.hold }
    }

    /// What is shown of it whatever the time is.
    struct Values: Equatable {
        /// The last one that is known.
        var position: Position?
        var isLost = false
        var charge: Double?
        var properties: [String: JSONValue] = [:]
    }

    private(set) var values = Values()
    private var hasNoFix = false
    private(set) var time: Timestamp
    private(set) var lastArrival: Duration
    /// Of the last sign of life; `nil`: of unknown age.
    private var lastHeard: Duration?
    var offline: Claim?
    var sourceOffline: Claim?
    private var order = OracleOrder()
    /// Known only from what an earlier process published.
    private var isReadBack = false

    /// Its first report makes it.
    init(_ report: OracleReport, offline: Claim?, sourceOffline: Claim?, at now: Instant) {
        (self.offline, self.sourceOffline) = (offline, sourceOffline)
        (time, lastArrival) = (now.wall, now.monotonic)
        _ = order.take(report, time: report.usableTime(at: now))
        apply(report, at: now)
    }

    // MARK: What it says

    mutating func hear(_ report: OracleReport, at now: Instant) {
        let isNewer = order.take(report, time: report.usableTime(at: now))
        // A stored copy that says what was read back is no news of it.
        if isNewer, !(report.retained && isReadBack && merged(report).values == values) {
            apply(report, at: now)
        } else if !report.retained {
            live(at: now)
        }
    }

    private mutating func apply(_ report: OracleReport, at now: Instant) {
        self = merged(report)
        time = report.usableTime(at: now) ?? now.wall
        guard report.retained else { return live(at: now) }
        (lastArrival, isReadBack) = (now.monotonic, false)
        if let time = report.usableTime(at: now) {
            let heard = now.monotonic - max(.zero, now.wall.duration(since: time))
            lastHeard = max(lastHeard ?? heard, heard)
        }
    }

    private func merged(_ report: OracleReport) -> OracleDevice {
        var device = self
        switch report.position {
        case .absent: break
        case .unknown: device.hasNoFix = true
        case .value(let position): (device.values.position, device.hasNoFix) = (position, false)
        }
        switch report.charge {
        case .absent: break
        case .unknown: device.values.charge = nil
        case .value(let charge): device.values.charge = charge
        }
        for (key, value) in report.properties {
            if value.isNull {
                device.values.properties.removeValue(forKey: key)
            } else {
                device.values.properties[key] = value
            }
        }
        device.values.isLost = device.hasNoFix && device.values.position != nil
        return device
    }

    /// A sign of life.
    private mutating func live(at now: Instant) {
        (lastHeard, lastArrival, isReadBack) = (now.monotonic, now.monotonic, false)
        (offline, sourceOffline) = (nil, nil)
    }

    /// - Parameter claim: `nil`: it is online.
    mutating func hear(connection claim: Claim?, retained: Bool, at now: Instant) {
        if let claim {
            offline = offline ?? claim
            if !retained { lastArrival = now.monotonic }
        } else if !retained {
            live(at: now)
        }
    }

    // MARK: Who lives

    func status(at now: Instant) -> (status: String, reason: String) {
        func counts(_ claim: Claim?) -> Bool { claim.map { now.monotonic >= $0.effective } ?? false }
        if counts(offline) { return ("offline", "connection-offline") }
        if counts(sourceOffline) { return ("offline", "source-offline") }
        if hasNoFix { return ("lost", "no-fix") }
        guard let lastHeard else { return ("stale", "age-unknown") }
        return now.monotonic >= lastHeard + Oracle.staleAfter ? ("stale", "silent") : ("live", "heard")
    }

    // MARK: After a restart

    /// As an earlier process published it. Nothing else is known: ages come from the wall clock, and whether there is a fix
    /// below an offline status from the position.
    init?(readingBack state: JSONObject, at now: Instant) {
        guard let time = state["time"]?.string.flatMap({ Timestamp(iso8601: $0) }),
            let since = state["statusSince"]?.string.flatMap({ Timestamp(iso8601: $0) }),
            let status = state["status"]?.string, let values = Values(shownIn: state)
        else { return nil }
        let reason = state["statusReason"]?.string
        func age(_ time: Timestamp) -> Duration { max(.zero, now.wall.duration(since: time)) }
        // By which it was found silent so long after.
        let noticed =
            status == "stale" && reason == "silent" ? age(since) + Oracle.staleAfter : min(age(time), age(since))
        (self.time, self.values, isReadBack) = (time, values, true)
        lastArrival = now.monotonic - noticed
        if reason != "age-unknown" {
            lastHeard = now.monotonic - (status == "stale" ? max(age(time), noticed) : noticed)
        }
        hasNoFix = reason == "no-fix" || values.isLost
        if time <= now.wall.advanced(by: Oracle.futureTolerance) { order = OracleOrder(readBack: time) }
        guard status == "offline" else { return }
        let claim = Claim(retained: true, at: now)
        if reason == "source-offline" { sourceOffline = claim } else { offline = claim }
    }
}

extension OracleDevice.Values {
    /// `nil` for what is no state.
    init?(shownIn state: JSONObject) {
        guard let position = state["position"], let charge = state["charge"] else { return nil }
        isLost = state["lastPosition"] != nil
        if let place = (position.isNull ? state["lastPosition"] : position)?.object {
            guard let latitude = place.number("lat"), let longitude = place.number("lon") else { return nil }
            self.position = OracleDevice.Position(latitude: latitude, longitude: longitude)
        }
        self.charge = charge.number
        for member in state.object("properties")?.members ?? [] { properties[member.key] = member.value }
    }
}

extension OracleDevice.Values: CustomStringConvertible {
    var description: String {
        let place = position.map { "\($0.latitude),\($0.longitude)" } ?? "nowhere"
        let properties = properties.sorted { $0.key < $1.key }.map { "\($0) \($1.text)" }.joined(separator: " ")
        return "(\(isLost ? "lost at " : "")\(place), \(charge.map { "\($0)%" } ?? "no charge"), \(properties))"
    }
}
