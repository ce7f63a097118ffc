internal import CommandLineTool
internal import FleetEngine
internal import JSON
internal import TelemetryFormats
internal import Wording

/// A message's explanation on a terminal.
enum ExplanationText {
    /// Columns of a value at most; the whole stands in the message.
    private static let valueWidth = 40
    /// Pointers that are listed of what was not taken.
    private static let listed = 12

    static func lines(_ explanation: MessageExplanation) -> [String] {
        var lines = [heading(explanation)]
        if let provenance = explanation.provenance {
            lines += table(
                provenance, deciding: explanation.end == "rejected" ? "(rejected for this)" : "(what the message is)")
            if !provenance.given.isEmpty {
                lines.append(
                    "by the format or the settings: "
                        + provenance.given.map { "\($0.field) \(text($0.value))" }.joined(separator: ", "))
            }
            lines += notTaken(provenance)
            if provenance.isIncomplete { lines.append("too large to be looked at to the end") }
        }
        if let frame = explanation.frame { lines.append("frame: \(frame)") }
        lines += explanation.places.map { place in
            "map \(place.map): " + place.fields.members.map { "\($0.key) \(text($0.value))" }.joined(separator: ", ")
        }
        lines += explanation.policies.map { "\($0.name.rawValue): \($0.detail)" }
        lines.append("\(explanation.end): \(explanation.output.text)")
        return [lines[0]] + lines.dropFirst().map { "  " + Escape.text($0) }
    }

    private static func heading(_ explanation: MessageExplanation) -> String {
        var words = ["\(explanation.size) bytes"]
        if explanation.provenance?.isPacked == true { words.append("packed") }
        if explanation.isStoredCopy { words.append("stored copy") }
        if let format = explanation.format { words.append("format \(format)") }
        if let source = explanation.source { words.append("source \(source)") }
        if let filter = explanation.filter { words.append("filter \(filter)") }
        return Escape.text("\(explanation.topicName)  (\(words.joined(separator: ", ")))")
    }

    private static func table(_ provenance: Provenance, deciding what: String) -> [String] {
        let reports = Set((provenance.origins.flatMap(\.uses) + provenance.remembered).map(\.report)).count
        var table = TextTable(["where", "value", "field", "becomes", "converted from"].map { TextTable.Column($0) })
        for origin in provenance.origins {
            let start = [place(origin), origin.value.map(text) ?? "…"]
            let names = origin.uses.map { reports > 1 ? "\($0.report + 1): \($0.field)" : $0.field }
            // A flag that many fields depend on says more as one line.
            if names.count > 2 {
                table.rows.append(start + [names.joined(separator: ", ")])
                continue
            }
            for (index, (use, name)) in zip(origin.uses, names).enumerated() {
                table.rows.append((index == 0 ? start : ["", ""]) + [name, text(use.value), use.conversion ?? ""])
            }
        }
        for origin in provenance.deciding {
            table.rows.append([place(origin), origin.value.map(text) ?? "…", what])
        }
        for use in provenance.remembered { table.rows.append(["(earlier message)", "", use.field, text(use.value)]) }
        return table.rows.isEmpty ? [] : table.lines
    }

    private static func place(_ origin: Provenance.Origin) -> String {
        switch origin.place {
        case .payload(let pointer): pointer.isEmpty ? "payload" : pointer
        case .topic(let level, let name): name.map { "topic {\($0)}" } ?? "topic level \(level)"
        }
    }

    private static func text(_ value: JSONValue) -> String {
        value.isNull ? "unknown" : TextWidth.clipped(value.string ?? value.text, to: valueWidth)
    }

    private static func notTaken(_ provenance: Provenance) -> [String] {
        let pointers = provenance.notTaken.map { $0.isEmpty ? "payload" : $0 }
        guard !pointers.isEmpty else { return [] }
        let more = pointers.count > listed ? " and \(pointers.count - listed) more" : ""
        return ["not taken: " + pointers.prefix(listed).joined(separator: ", ") + more]
    }
}
