/// Makes a node of an operation.
///
/// Returns `nil` after it has reported at least one error.
typealias OperatorParser = @Sendable (Arguments, ParsingContext) -> Node?

/// All operators by name.
let operators: [String: OperatorParser] = specialOperators.merging(signatureOperators) {
    special, _ in special
}

/// Operators with rules of their own for arguments and types.
private let specialOperators: [String: OperatorParser] = [
    "==": Comparison.parse, "!=": Comparison.parse,
    "<": Comparison.parse, "<=": Comparison.parse, ">": Comparison.parse, ">=": Comparison.parse,
    "array": Assertion.parse, "boolean": Assertion.parse, "number": Assertion.parse,
    "object": Assertion.parse,
    "string": Assertion.parse,
    "to-boolean": Coercion.parse, "to-color": Coercion.parse, "to-number": Coercion.parse,
    "to-string": Coercion.parse,
    "at": ElementLookup.parse, "in": Containment.parse, "index-of": IndexSearch.parse,
    "length": Length.parse,
    "slice": Slice.parse,
    "case": Case.parse, "coalesce": Coalesce.parse, "match": Match.parse, "step": Step.parse,
    "interpolate": Interpolation.parse, "interpolate-hcl": Interpolation.parse,
    "interpolate-lab": Interpolation.parse,
    "let": Let.parse, "var": Variable.parse, "literal": Literal.parse,
    "semiliteral": Semiliteral.parse,
    "format": Format.parse, "image": Image.parse, "global-state": GlobalStateLookup.parse,
    "collator": Collation.parse, "number-format": NumberFormat.parse,
    "within": Within.parse, "distance": Distance.parse,
]

/// Operators whose arguments have fixed types.
private let signatureOperators: [String: OperatorParser] = [
    "get": operation(
        Signature(.string) { PropertyLookup.node(name: $0[0], asksForPresence: false, $1) },
        Signature(.string, .object) {
            MemberLookup(name: $0[0], object: $0[1], asksForPresence: false, key: $1.key)
        }),
    "has": operation(
        Signature(.string) { PropertyLookup.node(name: $0[0], asksForPresence: true, $1) },
        Signature(.string, .object) {
            MemberLookup(name: $0[0], object: $0[1], asksForPresence: true, key: $1.key)
        }),
    "properties": operation(Signature { FeatureLookup(.properties, key: $1.key) }),
    "id": operation(Signature { FeatureLookup(.id, key: $1.key) }),
    "geometry-type": operation(Signature { FeatureLookup(.geometryType, key: $1.key) }),
    "feature-state": operation(
        Signature(.string) { FeatureLookup(.state(name: $0[0]), key: $1.key) }),

    "zoom": operation(Signature { ClientValue(.zoom, key: $1.key) }),
    "heatmap-density": operation(Signature { ClientValue(.heatmapDensity, key: $1.key) }),
    "elevation": operation(Signature { ClientValue(.elevation, key: $1.key) }),
    "line-progress": operation(Signature { ClientValue(.lineProgress, key: $1.key) }),
    "accumulated": operation(Signature { ClientValue(.accumulated, key: $1.key) }),
    "is-supported-script": operation(Signature(.string) { ScriptSupport($0[0], key: $1.key) }),
    "error": operation(Signature(.string) { Failure($0[0], key: $1.key) }),

    "all": junction(decisive: false),
    "any": junction(decisive: true),
    "!": operation(Signature(.boolean) { Negation($0[0], key: $1.key) }),

    "ln2": constant(.ln2), "pi": constant(.pi), "e": constant(.e),
    "+": aggregation(.sum), "*": aggregation(.product), "min": aggregation(.minimum),
    "max": aggregation(.maximum),
    "-": operation(
        Signature(.number, .number) { BinaryCalculation(.subtract, $0, key: $1.key) },
        Signature(.number) { UnaryCalculation(.negate, $0[0], key: $1.key) }),
    "/": binary(.divide), "%": binary(.remainder), "^": binary(.power),
    "sqrt": unary(.sqrt), "ln": unary(.ln), "log10": unary(.log10), "log2": unary(.log2),
    "sin": unary(.sin), "cos": unary(.cos), "tan": unary(.tan),
    "asin": unary(.asin), "acos": unary(.acos), "atan": unary(.atan),
    "abs": unary(.abs), "ceil": unary(.ceil), "floor": unary(.floor), "round": unary(.round),

    "concat": operation(Signature(repeating: .value) { Concatenation($0, key: $1.key) }),
    "upcase": operation(Signature(.string) { CaseMapping($0[0], isUpper: true, key: $1.key) }),
    "downcase": operation(Signature(.string) { CaseMapping($0[0], isUpper: false, key: $1.key) }),
    "split": operation(Signature(.string, .string) { Split($0[0], separator: $0[1], key: $1.key) }),
    "join": operation(
        Signature(.array(of: .string, length: nil), .string) {
            Join($0[0], separator: $0[1], key: $1.key)
        }),
    "resolved-locale": operation(Signature(.collator) { ResolvedLocale($0[0], key: $1.key) }),
    "typeof": operation(Signature(.value) { TypeName($0[0], key: $1.key) }),

    "rgb": operation(Signature(.number, .number, .number) { RGBAColor($0, key: $1.key) }),
    "rgba": operation(Signature(.number, .number, .number, .number) { RGBAColor($0, key: $1.key) }),
    "to-rgba": operation(Signature(.color) { ColorParts($0[0], key: $1.key) }),
]

private func constant(_ number: Double) -> OperatorParser {
    operation(Signature { Literal(.number(number), type: .number, key: $1.key) })
}

private func unary(_ function: UnaryCalculation.Function) -> OperatorParser {
    operation(Signature(.number) { UnaryCalculation(function, $0[0], key: $1.key) })
}

private func binary(_ function: BinaryCalculation.Function) -> OperatorParser {
    operation(Signature(.number, .number) { BinaryCalculation(function, $0, key: $1.key) })
}

private func aggregation(_ function: Aggregation.Function) -> OperatorParser {
    operation(Signature(repeating: .number) { Aggregation(function, $0, key: $1.key) })
}

/// Upstream lists two arguments apart, which shows in its messages.
private func junction(decisive: Bool) -> OperatorParser {
    operation(
        Signature(.boolean, .boolean) { Junction.node($0, decisive: decisive, key: $1.key) },
        Signature(repeating: .boolean) { Junction.node($0, decisive: decisive, key: $1.key) })
}
