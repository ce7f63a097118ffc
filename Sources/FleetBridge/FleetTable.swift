internal import CommandLineTool
internal import FleetEngine
internal import JSON
internal import Locations

/// The fleet as a table, for a terminal.
struct FleetTable {
    /// Fleets beyond this are shown by their sources alone: nobody reads so many rows, and they take time to sort.
    private static let maximumRows = 1_000

    let lines: [String]

    init(_ engine: Engine, messagesPerSecond: Double) {
        let snapshot = engine.snapshot
        var head = snapshot.isConnected ? "connected" : "not connected"
        if snapshot.isConnected, !snapshot.isReading { head += ", but not to the sources' broker" }
        head += " · \(snapshot.messages) messages, \(Int(messagesPerSecond.rounded())) a second"
        head += " · \(snapshot.published) states published"
        if snapshot.rejected > 0 { head += " · \(snapshot.rejected) rejected" }
        let sources = engine.sourceStatuses.map { source in
            let counts = LocationStatus.allCases.compactMap { status in
                source.counts[status] > 0 ? "\(source.counts[status]) \(status)" : nil
            }
            let reason = source.status.reason.isEmpty ? "" : " (\(source.status.reason))"
            return "\(source.id): \(source.status.kind)\(reason)  \(counts.joined(separator: ", "))"
        }
        guard snapshot.locations <= Self.maximumRows else {
            lines = [head] + sources
            return
        }
        var table = TextTable([
            .init("location"), .init("status"), .init("state"), .init("charge", alignsRight: true), .init("position"),
            .init("floor", alignsRight: true), .init("heading", alignsRight: true),
        ])
        let locations = engine.locations.sorted {
            ($0.source, $0.displayName.naturalOrder, $0.id) < ($1.source, $1.displayName.naturalOrder, $1.id)
        }
        table.rows = locations.map { location in
            [
                "\(location.source)/\(location.displayName)", location.status.rawValue,
                location.properties["state"]?.string ?? "", location.charge.map { "\(Int($0.rounded())) %" } ?? "",
                location.position.map { "\(degrees($0.latitude)), \(degrees($0.longitude))" } ?? "–",
                location.floor.map(String.init) ?? "", location.heading.map { "\(Int($0.rounded()))°" } ?? "",
            ]
        }
        lines = [head] + sources + [""] + table.lines
    }
}

/// With six decimals always, so that columns stand still.
private func degrees(_ number: Double) -> String {
    let text = JSONNumber.text(of: (number * 1e6).rounded() / 1e6)
    let digits = text.split(separator: ".", maxSplits: 1).dropFirst().first?.count ?? 0
    return (digits == 0 ? text + "." : text) + String(repeating: "0", count: max(0, 6 - digits))
}

extension String {
    /// Sorts `Vacuum 10` behind `Vacuum 9`: runs of digits are padded.
    fileprivate var naturalOrder: String {
        var result = ""
        var digits = ""
        func flush() {
            guard !digits.isEmpty else { return }
            result += String(repeating: "0", count: max(0, 12 - digits.count)) + digits
            digits = ""
        }
        for character in self {
            if character.isASCII, character.isNumber {
                digits.append(character)
            } else {
                flush()
                result.append(character)
            }
        }
        flush()
        return result
    }
}
