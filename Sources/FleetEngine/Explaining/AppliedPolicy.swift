internal import JSON
internal import Locations
internal import TelemetryFormats

/// A rule of those that hold for every format, where it made a difference to a message.
public struct AppliedPolicy: Sendable, Hashable {
    public enum Name: String, Sendable {
        case clockNotUsed, noTime, clockReset
        case nullIsland, noFix, unknownMap, meansUnknown, valueUnusable
        case late, duplicate, contradictingID
        case storedCopy, connectionByArrival, silenceAnnounced, signOfLife, noSignOfLife
        case remembered, partOfBatchRejected
    }

    public var name: Name
    /// What was done, and why.
    public var detail: String

    /// The policies in the order in which they are applied: what single values are, the clock, the order, who is alive.
    static func all(
        in message: IncomingMessage, _ provenance: Provenance?, _ handled: ManagedSource.Handled,
        source: TelemetrySource
    ) -> [AppliedPolicy] {
        // No message is placed here, since convert shows what it says.
        let faults = source.takeFaults().keys.filter { $0 != "unknown-map" }.sorted()
        var policies: [AppliedPolicy] = []
        func add(_ name: Name, _ detail: String) { policies.append(AppliedPolicy(name: name, detail: detail)) }

        if let provenance {
            policies += positions(provenance) + unknowns(provenance, faults: faults)
            let remembered = provenance.remembered.map(\.field)
            if !remembered.isEmpty { add(.remembered, "known from earlier messages: \(list(remembered))") }
        }
        for fault in faults where !isOfClock(fault) {
            add(.valueUnusable, "\(fault): unknown from now on, and counted")
        }
        policies += clock(provenance, handled, faults: faults, source.settings)
        if !source.takeClockResets().isEmpty {
            add(.clockReset, "the fifth late report in a row whose own times increase: the device's clock is believed")
        }
        for rejection in handled.rejectedReports where handled.rejection == nil {
            add(.partOfBatchRejected, "\(rejection.pointer): \(rejection.reason.rawValue): \(rejection.detail)")
        }
        for id in handled.contradictingIDs {
            add(.contradictingID, "the topic's id counts, not the payload's \"\(id)\"")
        }
        return policies + order(handled) + life(message, provenance, handled)
    }

    // MARK: Single values

    private static func positions(_ provenance: Provenance) -> [AppliedPolicy] {
        let lost = provenance.origins.filter { $0.uses.contains { $0.field == "positionLost" } }
        guard !lost.isEmpty || provenance.given.contains(where: { $0.field == "positionLost" }) else { return [] }
        let zeros = lost.filter { $0.value?.number == 0 || $0.value == "0" }
        if zeros.count == 2 { return [AppliedPolicy(name: .nullIsland, detail: "0,0 degrees is no place but no fix")] }
        return [AppliedPolicy(name: .noFix, detail: "the device says that it does not know where it is")]
    }

    /// Values such as −1 that stand for unknown ones.
    private static func unknowns(_ provenance: Provenance, faults: [String]) -> [AppliedPolicy] {
        provenance.origins.flatMap { origin -> [AppliedPolicy] in
            guard let value = origin.value, !value.isNull else { return [] }
            return origin.uses.filter { use in
                use.value.isNull && !use.field.hasPrefix("properties.")
                    && !faults.contains { $0.hasPrefix("\(use.field)-") }
            }.map { AppliedPolicy(name: .meansUnknown, detail: "\(value.text) means that \($0.field) is not known") }
        }
    }

    // MARK: Time and order

    private static func isOfClock(_ fault: String) -> Bool { fault.hasPrefix("ts-") || fault.hasPrefix("fix-ts-") }

    private static func clock(
        _ provenance: Provenance?, _ handled: ManagedSource.Handled, faults: [String], _ settings: SourceSettings
    ) -> [AppliedPolicy] {
        let faults = faults.filter(isOfClock)
        if !faults.isEmpty {
            return faults.map { AppliedPolicy(name: .clockNotUsed, detail: "\($0): the time of the arrival is used") }
        }
        guard handled.end == .applied, let provenance else { return [] }
        let fields = (provenance.origins.flatMap(\.uses) + provenance.given).map(\.field)
        if fields.allSatisfy({ $0 == "id" || $0 == "connection" }) { return [] }
        if !fields.contains("time") {
            return [AppliedPolicy(name: .noTime, detail: "the message tells no time: that of the arrival is used")]
        }
        guard settings.clock == .arrival else { return [] }
        return [AppliedPolicy(name: .clockNotUsed, detail: "the source is set to time: arrival")]
    }

    private static func order(_ handled: ManagedSource.Handled) -> [AppliedPolicy] {
        switch handled.end {
        case .late:
            [AppliedPolicy(name: .late, detail: "older than what the device has said: it changes nothing")]
        case .duplicate:
            [
                AppliedPolicy(
                    name: .duplicate, detail: "said before, or a stored copy of what is known: it changes nothing")
            ]
        case .applied, .ignored, .rejected: []
        }
    }

    // MARK: Who is alive

    private static func life(
        _ message: IncomingMessage, _ provenance: Provenance?, _ handled: ManagedSource.Handled
    ) -> [AppliedPolicy] {
        var policies: [AppliedPolicy] = []
        func add(_ name: Name, _ detail: String) { policies.append(AppliedPolicy(name: name, detail: detail)) }
        let uses = (provenance?.origins ?? []).flatMap(\.uses) + (provenance?.given ?? [])
        if uses.contains(where: { $0.field == "connection" }) {
            add(.connectionByArrival, "whether it is connected goes by arrival, whatever time the message tells")
        }
        if message.retained, handled.end != .rejected {
            add(.storedCopy, "no sign of life: it is as old as it says, and of unknown age where it says nothing")
        } else if handled.end == .ignored, handled.reason != "withdrawn", handled.reason != "no-location" {
            if handled.lastID != nil {
                add(.signOfLife, "the device is heard, nothing else changes")
            } else {
                add(.noSignOfLife, "nobody's, or sent to the device by others")
            }
        }
        return policies
    }

    private static func list(_ fields: [String]) -> String {
        var seen: Set<String> = []
        return fields.filter { seen.insert($0).inserted }.joined(separator: ", ")
    }
}
