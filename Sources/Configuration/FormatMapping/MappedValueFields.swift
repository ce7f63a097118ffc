internal import JSON
internal import Locations
internal import SettingsFile
internal import TelemetryFormats
internal import YAML

/// The keys of a value that is more than a source.
enum MappedValueFields {
    /// Where a value stands and what is done with it before it is a number, time or word.
    static func common<Draft>(_ value: WritableKeyPath<Draft, MappedValue>) -> [Field<Draft>] {
        [
            Field(
                "from", MappingKinds.source.kind, value.appending(path: \.sources),
                "Where it stands; of several places the first that has it."),
            Field("value", .jsonScalar, "What it always is.") { draft, constant, _ in
                draft[keyPath: value].sources = [.constant(constant)]
            },
            Field("split", .text, "Cuts the text at each of these.") { draft, separator, _ in
                draft[keyPath: value].split = MappedValue.Split(separator: separator, part: 0)
            },
            Field("part", .integer(in: -1_000...1_000), "The part of the text to take: from 0, or from the end: -1.") {
                draft, part, _ in draft[keyPath: value].split?.part = part
            },
            Field(
                "trim", .text, value.appending(path: \.trim),
                "Characters that are taken off both ends, together with blanks."),
            Field(
                "unknown", .oneOrMore(of: .jsonScalar), value.appending(path: \.unknown),
                "Values that mean: not known."),
            Field(
                "validity", MappingKinds.validity.one, value.appending(path: \.validity),
                "What tells whether the value counts."),
        ]
    }

    /// What else can be done with words.
    static func words<Draft>(_ value: WritableKeyPath<Draft, MappedValue>) -> [Field<Draft>] {
        [
            Field("leadingZeros", ValueKind<LeadingZeros>.choice, "Whether zeros at the beginning are kept.") {
                draft, zeros, _ in draft[keyPath: value].dropsLeadingZeros = zeros == .drop
            },
            Field(
                "lowercase", .bool, value.appending(path: \.lowercases), "Whether the text is brought to small letters."
            ),
            Field("table", .table, value.appending(path: \.table), "What each word means; null: nothing is said."),
            Field(
                "else", .jsonScalar, value.appending(path: \.otherwise),
                "What all words mean that are not in the table."),
        ]
    }

    private enum LeadingZeros: String, CaseIterable { case keep, drop }

    /// Keys that say nothing without another one.
    static func check(_ node: YAMLNode, _ context: Context) -> Bool {
        let entries = node.mapping ?? []
        func entry(_ key: String) -> YAMLEntry? { entries.first { $0.key == key } }
        if entry("from") == nil, entry("value") == nil {
            context.error(node, "the setting \"from\" is missing")
            return false
        }
        if entry("from") != nil, let value = entry("value") {
            context.error(at: value.keyPlace, "\"value\" is what it always is; expected either it or \"from\"")
            return false
        }
        for (key, needed) in [("part", "split"), ("split", "part"), ("else", "table")] {
            if let lonely = entry(key), entry(needed) == nil {
                context.error(at: lonely.keyPlace, "\"\(key)\" says nothing without \"\(needed)\"")
                return false
            }
        }
        return true
    }
}

extension ValueKind {
    /// One way to a value: a source alone, or a mapping that says more.
    ///
    /// - Parameters:
    ///   - words: Texts that are no source but a constant.
    ///   - value: Where the draft of a way keeps its value.
    fileprivate static func way<Draft>(
        _ fields: [Field<Draft>], startingWith initial: Draft, value: WritableKeyPath<Draft, MappedValue>,
        words: [String: JSONValue] = [:], _ make: @escaping (Draft) -> Value
    ) -> ValueKind {
        let mapping = Mapping(fields: MappedValueFields.common(value) + fields)
        let source = words.isEmpty ? MappingKinds.source.one : .source(words: words)
        return ValueKind(schema: ["anyOf": [source.schema, mapping.schema]]) { node, context in
            var draft = initial
            if node.mapping != nil, node.forgottenQuotes == nil {
                mapping.read(node, into: &draft, context)
                guard MappedValueFields.check(node, context), !draft[keyPath: value].sources.isEmpty else { return nil }
            } else {
                guard let source = source.read(node, context) else { return nil }
                draft[keyPath: value].sources = [source]
            }
            return make(draft)
        }
    }
}

extension ValueKind where Value == MappedValue {
    static func words(_ constants: [String: JSONValue] = [:]) -> ValueKind {
        way(MappedValueFields.words(\.self), startingWith: MappedValue(), value: \.self, words: constants) { $0 }
    }
}

extension ValueKind {
    static func number<Unit>(
        _ unit: ValueKind<Unit> = .choice
    ) -> ValueKind where Value == MappedNumber<Unit> {
        way(MappedNumber<Unit>.fields(\.self, unit: unit), startingWith: MappedNumber(MappedValue()), value: \.value) {
            $0
        }
    }
}

extension MappedNumber {
    fileprivate static func fields<Draft>(
        _ number: WritableKeyPath<Draft, MappedNumber>, unit: ValueKind<Unit>
    ) -> [Field<Draft>] {
        [
            Field("unit", unit, number.appending(path: \.unit), "The unit that it is in."),
            Field(
                "scale", .factor, number.appending(path: \.scale),
                "What one count is worth in the unit."),
            Field(
                "bits", .integer(in: 2...53), number.appending(path: \.bits),
                "Bits of a signed number that comes as an unsigned one."),
        ]
    }
}

extension ValueKind where Value == Double {
    fileprivate static var factor: ValueKind {
        let what = "a number other than 0"
        return number(what, in: -1e12...1e12).then { number, node, context in
            if number != 0 { return number }
            context.expected(what, node)
            return nil
        }
    }
}

extension ValueKind where Value == ChargeUnit {
    /// Says why a voltage is none.
    static var chargeUnit: ValueKind {
        let unit = ValueKind.choice
        return ValueKind(schema: unit.schema) { node, context in
            if ["v", "mv", "volt", "volts", "millivolts"].contains(node.scalar?.text.lowercased()) {
                context.error(
                    node,
                    "\(node.quoted) is no charge; expected one of percent, fraction, or a property for the voltage")
                return nil
            }
            return unit.read(node, context)
        }
    }
}

extension ValueKind where Value == MappedHeading {
    private struct Draft {
        var number = MappedNumber<AngleUnit>(MappedValue())
        var zero: MappedHeading.Zero?
        var turns: MappedHeading.Turns?
    }

    static var heading: ValueKind {
        way(
            MappedNumber.fields(\Draft.number, unit: .choice) + [
                Field("zero", .choice, \.zero, "Where 0 points to; on a plan, east is its x axis."),
                Field("turns", .choice, \.turns, "Which way it grows."),
            ], startingWith: Draft(), value: \.number.value
        ) { MappedHeading($0.number, zero: $0.zero, turns: $0.turns) }
    }
}

extension ValueKind where Value == MappedTime {
    static var time: ValueKind {
        way(
            [Field("unit", .choice, \.unit, "The unit of a Unix time, where its size does not tell it.")],
            startingWith: MappedTime(MappedValue()), value: \.value, words: ["arrival": .null]
        ) { $0 }
    }
}

extension ValueKind where Value == [MappedValue.Meaning] {
    /// `{MOWING: mowing, IDLE: idle}`
    static var table: ValueKind {
        var schema: JSONValue {
            [
                "type": "object", "minProperties": 1, "additionalProperties": ValueKind<JSONValue>.jsonScalar.schema,
            ]
        }
        return ValueKind(schema: schema) { node, context in
            guard let entries = node.mapping, !entries.isEmpty else {
                context.expected("a mapping of words to what they mean, such as {MOWING: mowing}", node)
                return nil
            }
            return entries.compactMap { entry in
                ValueKind<JSONValue>.jsonScalar.read(entry.value, context.entering(entry.key)).map {
                    MappedValue.Meaning(entry.key, $0)
                }
            }
        }
    }
}
