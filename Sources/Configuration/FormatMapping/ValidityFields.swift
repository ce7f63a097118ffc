internal import JSON
internal import Locations
internal import SettingsFile
internal import YAML

extension ValueKind where Value == Validity {
    private struct Draft {
        var pointer: JSONPointer?
        var good: [JSONValue]?
        var bad: [JSONValue] = []
    }

    /// `{pointer: /fix/valid, good: [true]}`
    static var validity: ValueKind {
        let mapping = Mapping<Draft>(fields: [
            Field("pointer", .pointer, "The member that tells it.", required: true) { draft, pointer, _ in
                draft.pointer = pointer
            },
            Field("good", .oneOrMore(of: .jsonScalar), \.good, "Its values with which the value counts."),
            Field("bad", .oneOrMore(of: .jsonScalar), \.bad, "Its values with which it does not."),
        ])
        return ValueKind<Draft>.mapping(mapping, startingWith: Draft()).then { draft, node, context in
            guard let pointer = draft.pointer else { return nil }
            let keys = node.mapping?.map(\.key) ?? []
            guard keys.contains("good") != keys.contains("bad") else {
                context.error(
                    node, "expected either good or bad: the values with which it counts, or those with which not")
                return nil
            }
            return Validity(pointer, good: draft.good, bad: draft.bad)
        }
    }
}
