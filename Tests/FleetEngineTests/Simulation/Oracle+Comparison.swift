import JSON
import Timestamps

extension Oracle {
    /// Everything that stands on the broker must follow from the reports, and everything that follows must stand there.
    ///
    /// - Returns: What is otherwise, for people.
    func differences(from broker: ScriptedBroker, showsSnapshots: Bool) -> [String] {
        let prefix = "fleet-bridge/"
        var faults = faults
        var unexplained = Set(broker.retained.keys.filter { $0.hasPrefix(prefix) })
        unexplained.subtract([prefix + "status", prefix + "stats"])
        if broker.json(prefix + "status")?["state"] != "online" { faults.append("the bridge is not online") }
        for (id, source) in sources.sorted(by: { $0.key < $1.key }) {
            for (device, known) in source.devices.sorted(by: { $0.key < $1.key }) {
                let topicName = "\(prefix)\(id)/\(Self.level(device))/state"
                unexplained.remove(topicName)
                faults += known.differences(from: broker.json(topicName), at: broker.now).map { "\(topicName): \($0)" }
            }
            let topicName = "\(prefix)\(id)/status"
            unexplained.remove(topicName)
            faults += source.differences(from: broker.json(topicName), at: broker.now).map { "\(topicName): \($0)" }
            let chunks = unexplained.filter { $0.hasPrefix("\(prefix)\(id)/geojson/") }
            unexplained.subtract(chunks)
            let shown = chunks.flatMap { broker.json($0)?["features"]?.array ?? [] }
            faults += source.differences(fromSnapshot: shown, isShown: showsSnapshots, at: broker.now).map {
                "\(prefix)\(id)/geojson: \($0)"
            }
            if !showsSnapshots, !chunks.isEmpty {
                faults.append("\(chunks.sorted()) stand though nobody wants snapshots")
            }
        }
        return faults + unexplained.sorted().map { "\($0) follows from nothing" }
            + differences(fromCounters: broker.stats())
    }

    /// Who is there, and how.
    func statuses(at now: Instant) -> [String: String] {
        var statuses: [String: String] = [:]
        for (id, source) in sources {
            for (device, known) in source.devices { statuses["\(id)/\(device)"] = known.status(at: now).status }
        }
        return statuses
    }

    /// Every message and every report has ended in one way.
    private func differences(fromCounters stats: JSONObject) -> [String] {
        var faults: [String] = []
        if !AccountingTests.balances(stats) {
            faults.append("the counters do not balance: \(JSONValue.object(stats).text)")
        }
        if stats.number("received") != Double(received) {
            faults.append("received \(stats.number("received") ?? -1), not \(received)")
        }
        if stats.number("reports", "pending") != 0 {
            faults.append("\(stats.number("reports", "pending") ?? -1) reports still wait")
        }
        return faults
    }

    /// The ids of the simulation that do not stand in a topic as they are.
    private static func level(_ id: String) -> String {
        ["50%": "50%25", "status": "%73tatus", "geojson": "%67eojson"][id] ?? id
    }
}

extension OracleDevice {
    fileprivate func differences(from state: JSONObject?, at now: Instant) -> [String] {
        guard let state else { return ["is not there, but should be \(values)"] }
        var faults: [String] = []
        if let shown = Values(shownIn: state) {
            if shown != values { faults.append("is \(shown), not \(values)") }
        } else {
            faults.append("is no state: \(state)")
        }
        let expected = status(at: now)
        if state["status"]?.string != expected.status || state["statusReason"]?.string != expected.reason {
            faults.append("is \(state["status"]?.text ?? ""), \(state["statusReason"]?.text ?? ""), not \(expected)")
        }
        // The time alone is no news: an older one may stand there, never a newer one.
        if let shown = state["time"]?.string.flatMap({ Timestamp(iso8601: $0) }), shown > time {
            faults.append("is of \(state["time"]?.text ?? ""), after \(time.iso8601)")
        }
        return faults
    }
}

extension Oracle.Source {
    private static let statuses = ["live", "stale", "lost", "offline"]

    private func counts(at now: Instant) -> [String: Int] {
        devices.values.reduce(into: [:]) { $0[$1.status(at: now).status, default: 0] += 1 }
    }

    fileprivate func differences(from shown: JSONObject?, at now: Instant) -> [String] {
        guard let shown else { return ["is not there"] }
        let counts = counts(at: now)
        let expected =
            isStopped
            ? ("inactive", "stopped")
            : counts["live"] == nil ? ("unavailable", "no-live-location") : ("available", nil as String?)
        var faults: [String] = []
        if shown["status"]?.string != expected.0 || shown["reason"]?.string != expected.1 {
            faults.append("is \(shown["status"]?.text ?? ""), \(shown["reason"]?.text ?? ""), not \(expected)")
        }
        for status in Self.statuses where shown.number("locations", status) != Double(counts[status] ?? 0) {
            faults.append("\(shown.number("locations", status) ?? -1) are \(status), not \(counts[status] ?? 0)")
        }
        return faults
    }

    /// Each location stands in one chunk, as it is.
    fileprivate func differences(fromSnapshot features: [JSONValue], isShown: Bool, at now: Instant) -> [String] {
        guard isShown else { return [] }
        var faults: [String] = []
        var missing = devices
        for feature in features {
            let properties = feature.object?.object("properties") ?? JSONObject()
            guard let id = properties["id"]?.string, let device = missing.removeValue(forKey: id) else {
                faults.append("\(properties["id"]?.text ?? "") follows from nothing")
                continue
            }
            let shown = (properties["status"]?.string, properties["charge"]?.number)
            let expected = (device.status(at: now).status, device.values.charge)
            if shown != (expected.0, expected.1) { faults.append("\(id) is \(shown), not \(expected)") }
        }
        return faults + missing.keys.sorted().map { "\($0) is missing" }
    }
}
