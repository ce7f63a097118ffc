internal import Foundation
internal import JSON
internal import Timestamps

/// Brings what knows time zones into a program that has the Swift runtime linked in: Foundation finds it through a record
/// that stands beside what formats numbers, and the linker takes that only where something refers to it. Without it
/// `TimeZone(identifier:)` knows no name at all (Swift 6.3).
public enum TimeZoneSupport {
    public static let anchor: @Sendable (Double) -> String = { $0.formatted() }
}

/// Reads the times that devices write.
struct TimeReader {
    /// The zone of times that name none; `nil`: UTC.
    let zone: TimeZone?

    init(zoneName: String?) {
        zone = zoneName.flatMap(TimeZone.init(identifier:))
    }

    /// A moment; of a local time in the hour that comes twice both readings.
    struct Reading: Equatable {
        var time: Timestamp
        var later: Timestamp?
    }

    /// ISO 8601 in every usual spelling, or Unix seconds, milliseconds or microseconds, also as text.
    func read(_ value: JSONValue) -> Reading? {
        switch value {
        case .number(let number): return Timestamp(unix: number).map { Reading(time: $0) }
        case .string(let text):
            if let local = LocalDateTime(iso8601: text) { return resolve(local) }
            return DecimalText.number(text).flatMap { Timestamp(unix: $0) }.map { Reading(time: $0) }
        default: return nil
        }
    }

    private func resolve(_ local: LocalDateTime) -> Reading {
        if let offset = local.offsetSeconds { return Reading(time: local.asUTC.advanced(by: .seconds(-offset))) }
        guard let zone else { return Reading(time: local.asUTC) }
        // The offsets in force a day before and after are the two that a change can be between.
        let offsets = [-86_400, 86_400].map { zone.secondsFromGMT(for: local.asUTC.advanced(by: .seconds($0)).date) }
        let readings = offsets.map { local.asUTC.advanced(by: .seconds(-$0)) }
            .filter { local.asUTC == $0.advanced(by: .seconds(zone.secondsFromGMT(for: $0.date))) }
            .sorted()
        guard let first = readings.first, let last = readings.last else {
            // An hour that does not exist: the clock was to be put forward, so the offset before the change moves on.
            return Reading(time: local.asUTC.advanced(by: .seconds(-(offsets.first ?? 0))))
        }
        return Reading(time: first, later: first == last ? nil : last)
    }
}

extension Timestamp {
    fileprivate var date: Date { Date(timeIntervalSince1970: Double(microseconds) / 1e6) }
}
