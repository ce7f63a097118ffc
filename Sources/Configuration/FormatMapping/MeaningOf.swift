internal import JSON
internal import SettingsFile
internal import TelemetryFormats
internal import YAML

/// What the tables of a field may give: anything else would never be used, and no message would say why.
struct MeaningOf: Sendable {
    let expected: String
    let allows: @Sendable (JSONValue) -> Bool

    /// YAML reads `yes` and `no` as texts.
    static let charging = MeaningOf(expected: "true or false") {
        if case .bool = $0 { true } else { false }
    }
    static let connection = MeaningOf(expected: "online or offline") {
        ["online", "offline"].contains($0.string?.lowercased() ?? "")
    }
}

extension ValueKind where Value == [MappedValue] {
    /// Checks what the tables give.
    func giving(_ meaning: MeaningOf) -> ValueKind {
        then { ways, node, context in
            for way in ways {
                for value in (way.table ?? []).map(\.value) + [way.otherwise].compactMap({ $0 }) {
                    guard !value.isNull, !meaning.allows(value) else { continue }
                    context.error(node, "\(value.text) is never used; expected \(meaning.expected)")
                    return nil
                }
            }
            return ways
        }
    }
}
