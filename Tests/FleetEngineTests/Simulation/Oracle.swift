import JSON
import MQTTModel
import Timestamps

/// What must be shown in the end, worked out from the messages that reached the bridge and from nothing that the engine
/// keeps. It does what the documentation says, in the simplest way: no queue, no schedule, no connection; whoever asks is
/// told how things are now.
struct Oracle {
    static let staleAfter = Duration.seconds(30)
    static let removeAfter = Duration.seconds(20 * 60)
    static let hold = Duration.seconds(2)
    static let futureTolerance = Duration.seconds(60)

    struct Source {
        var devices: [String: OracleDevice] = [:]
        /// Devices that said they are offline before they were known.
        var offlineBeforeBirth: [String: OracleDevice.Claim] = [:]
        /// The whole source says that it is offline.
        var offline: OracleDevice.Claim?
        var isStopped = false
    }

    var sources: [String: Source]
    /// Messages for sources since the process was started.
    private(set) var received = 0
    /// Everything that a device ever was: what a bridge reads back must be among it.
    private var history: [String: [OracleDevice.Values]] = [:]
    /// What was wrong on the way.
    private(set) var faults: [String] = []
    private let parser = JSONParser()

    init(sources: [String]) { self.sources = Dictionary(uniqueKeysWithValues: sources.map { ($0, Source()) }) }

    /// The configuration is another one.
    mutating func configure(_ ids: Set<String>) {
        for id in sources.keys where !ids.contains(id) { sources[id] = nil }
        for id in ids where sources[id] == nil { sources[id] = Source() }
    }

    // MARK: Messages

    /// A message reaches the bridge.
    mutating func hear(_ message: Message, at now: Instant) {
        let levels = message.topicName.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard levels.first == "fleet", levels.count > 2, var source = sources[levels[1]] else { return }
        received += 1
        guard !source.isStopped else { return }
        remove(&source, at: now)
        if levels.count == 3 {
            source.hear(of: .all, isOnline: message.payload.isOnline, retained: message.retain, at: now)
        } else if levels[3] == "connection" {
            source.hear(of: .device(levels[2]), isOnline: message.payload.isOnline, retained: message.retain, at: now)
        } else if message.payload.isEmpty {
            source.withdraw(levels[2])
        } else if let report = OracleReport(message, parser) {
            source.hear(report, from: levels[2], at: now)
            if let device = source.devices[levels[2]] { remember(device.values, levels[1], levels[2]) }
        }
        sources[levels[1]] = source
    }

    private mutating func remember(_ values: OracleDevice.Values, _ source: String, _ device: String) {
        let key = "\(source)/\(device)"
        if history[key]?.last != values { history[key, default: []].append(values) }
    }

    /// Time passes.
    mutating func advance(to now: Instant) {
        for id in sources.keys { remove(&sources[id]!, at: now) }
    }

    private func remove(_ source: inout Source, at now: Instant) {
        for (id, device) in source.devices where now.monotonic >= device.lastArrival + Self.removeAfter {
            source.withdraw(id)
        }
    }

    // MARK: A restart

    /// The process ends, and all that it knew.
    mutating func forget() {
        received = 0
        for id in sources.keys { sources[id] = Source() }
    }

    /// Another process reads what the one before published: that must be how its devices once were.
    mutating func readBack(_ retained: [String: [UInt8]], at now: Instant) {
        for (topicName, payload) in retained where topicName.hasSuffix("/state") {
            guard let state = (try? parser.parse(payload))?.object, let id = state["id"]?.string,
                let source = state["source"]?.string, let device = OracleDevice(readingBack: state, at: now)
            else {
                faults.append("\(topicName) cannot be read back: \(String(decoding: payload, as: UTF8.self))")
                continue
            }
            if history["\(source)/\(id)"]?.contains(device.values) != true {
                faults.append("\(topicName) never was \(device.values)")
            }
            sources[source]?.devices[id] = device
        }
        advance(to: now)
    }
}

extension Oracle.Source {
    enum Speaker {
        case all
        case device(String)
    }

    mutating func withdraw(_ id: String) {
        devices[id] = nil
        offlineBeforeBirth[id] = nil
    }

    mutating func hear(_ report: OracleReport, from id: String, at now: Instant) {
        if var device = devices[id] {
            device.hear(report, at: now)
            devices[id] = device
        } else {
            devices[id] = OracleDevice(
                report, offline: offlineBeforeBirth.removeValue(forKey: id), sourceOffline: offline, at: now)
        }
    }

    /// Somebody says who is connected and who is not.
    mutating func hear(of speaker: Speaker, isOnline: Bool, retained: Bool, at now: Instant) {
        let claim = isOnline ? nil : OracleDevice.Claim(retained: retained, at: now)
        switch speaker {
        case .all:
            // A stored "online" proves nothing.
            if isOnline, retained { return }
            offline = claim.map { offline ?? $0 }
            for id in devices.keys { devices[id]!.sourceOffline = offline.map { devices[id]!.sourceOffline ?? $0 } }
        case .device(let id):
            if devices[id] == nil {
                offlineBeforeBirth[id] = claim
            } else {
                devices[id]!.hear(connection: claim, retained: retained, at: now)
            }
        }
    }
}

extension [UInt8] {
    fileprivate var isOnline: Bool { elementsEqual("online".utf8) }
}
