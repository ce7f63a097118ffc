import Expressions
import JSON
import Testing

struct LimitTests {
    @Test("Expressions inside each other are counted")
    func depth() throws {
        func nested(_ depth: Int) -> JSONValue {
            (0..<depth).reduce(JSONValue.array(["get", "x"])) { inner, _ in ["-", inner] }
        }
        _ = try Expression.compile(nested(31))
        #expect(throws: CompileErrors.self) { try Expression.compile(nested(32)) }
        #expect(throws: CompileErrors.self) { try Expression.compile(nested(1_000)) }
    }

    @Test("Variables made of each other take no exponential time", .timeLimit(.minutes(5)))
    func variables() throws {
        for operation in ["+", "concat", "semiliteral"] {
            var json: JSONValue = ["var", "x30"]
            for level in stride(from: 30, to: 0, by: -1) {
                let below: JSONValue = level == 1 ? ["get", "x"] : ["var", .string("x\(level - 1)")]
                let pair: JSONValue =
                    operation == "semiliteral"
                    ? [.string(operation), [below, below]] : [.string(operation), below, below]
                json = ["let", .string("x\(level)"), pair, json]
            }
            #expect(throws: CompileErrors.self) { try Expression.compile(json) }
        }
    }

    @Test("Arguments that fit no signature take no exponential time", .timeLimit(.minutes(5)))
    func signatures() throws {
        let json = (0..<30).reduce(JSONValue.array(["+", "a", 1])) { inner, _ in ["all", inner, inner] }
        #expect(throws: CompileErrors.self) { try Expression.compile(json) }
    }

    @Test("A text of texts has an end")
    func texts() throws {
        let text = String(repeating: "x", count: 1 << 16)
        let many = JSONValue.array(["concat"] + Array(repeating: ["get", "x"], count: 17))
        let expression = try Expression.compile(many)
        #expect(throws: EvaluationError.self) {
            try expression.evaluate(JSONFeature(properties: ["x": .string(text)]))
        }
    }

    @Test("Long lists need no deep stack")
    func lists() throws {
        let sum = JSONValue.array(["+"] + Array(repeating: ["get", "x"], count: 50_000))
        #expect(try Expression.compile(sum).evaluate(JSONFeature(properties: ["x": 1])) == .number(50_000))
        let labels = (0..<5_000).flatMap { [JSONValue.number(Double($0)), JSONValue.number(Double($0 * 2))] }
        let match = JSONValue.array(["match", ["get", "x"]] + labels + [-1])
        #expect(try Expression.compile(match).evaluate(JSONFeature(properties: ["x": 4_999])) == .number(9_998))
    }
}

/// Random expressions: most do not compile, and none may crash or hang.
struct FuzzTests {
    @Test("Random expressions neither crash nor hang", .timeLimit(.minutes(5)), arguments: 1...20)
    func random(seed: UInt64) throws {
        var maker = ExpressionMaker(seed: seed)
        var compiled = 0
        for _ in 0..<1_000 {
            let json = maker.expression(depth: 5)
            guard let expression = try? Expression.compile(json, for: maker.specification()) else { continue }
            compiled += 1
            for _ in 0..<3 {
                let feature = JSONFeature(properties: maker.properties(), id: Value(maker.scalar()))
                let value = try? expression.evaluate(feature)
                // What is put out must be printable, and of the type that was found, null and NaN apart.
                _ = value?.json.text
                _ = value?.text
            }
        }
        #expect(compiled > 50)
    }
}

/// Makes random JSON that looks like expressions.
private struct ExpressionMaker {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

    private mutating func next(_ count: Int) -> Int {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return Int(state >> 33) % count
    }

    private static let names = [
        "get", "has", "at", "in", "index-of", "slice", "split", "join", "length", "case", "match", "coalesce", "step",
        "interpolate", "interpolate-hcl", "interpolate-lab", "==", "!=", "<", ">", "<=", ">=", "all", "any", "!", "+",
        "-",
        "*", "/", "%", "^", "min", "max", "round", "abs", "sqrt", "ln", "let", "var", "concat", "upcase", "downcase",
        "to-string", "to-number", "to-boolean", "to-color", "typeof", "string", "number", "boolean", "object", "array",
        "rgb", "rgba", "to-rgba", "id", "geometry-type", "properties", "feature-state", "image", "format",
        "number-format", "collator", "resolved-locale", "literal", "semiliteral", "error", "within", "distance",
        "unknown",
    ]

    mutating func scalar() -> JSONValue {
        switch next(9) {
        case 0: return nil
        case 1: return .bool(next(2) == 0)
        case 2: return .number(Double(next(200) - 100))
        case 3: return .number([0.5, 1e300, -1e-300, 9_007_199_254_740_992, 3.7][next(5)])
        case 4: return .string(["red", "#12345", "a", "", "é", "😀x", "0x1F", "hsl(1 2% 3%)", "en"][next(9)])
        case 5: return .string("x")
        case 6: return .array([.number(Double(next(5))), .string("a")])
        case 7: return .object(["x": .number(1), "y": .array([1, 2, 3])])
        default: return .bigInteger("12345678901234567890")
        }
    }

    mutating func properties() -> JSONObject {
        JSONObject(["x", "y", "a", "red"].map { ($0, scalar()) })
    }

    mutating func specification() -> PropertySpecification {
        [.any, .number, .string, .color, .boolean, .image, .formatted, .stringList][next(8)]
    }

    mutating func expression(depth: Int) -> JSONValue {
        if depth == 0 || next(6) == 0 { return next(2) == 0 ? scalar() : ["get", "x"] }
        let name = Self.names[next(Self.names.count)]
        var elements: [JSONValue] = [.string(name)]
        switch name {
        case "get", "has": return [.string(name), .string(["x", "y", "a"][next(3)])]
        case "let": return ["let", "v", expression(depth: depth - 1), expression(depth: depth - 1)]
        case "var": return ["var", "v"]
        case "literal", "semiliteral": return [.string(name), scalar()]
        case "step":
            return [
                "step", expression(depth: depth - 1), expression(depth: depth - 1), .number(Double(next(5))),
                expression(depth: depth - 1), .number(Double(next(9))), expression(depth: depth - 1),
            ]
        case "interpolate", "interpolate-hcl", "interpolate-lab":
            elements.append(
                [["linear"], ["exponential", 0], ["exponential", 1.5], ["cubic-bezier", 0, 1, 1, 0]][next(4)])
            elements += [
                expression(depth: depth - 1), 0, expression(depth: depth - 1), 10, expression(depth: depth - 1),
            ]
            return .array(elements)
        case "match":
            return [
                "match", expression(depth: depth - 1), scalar(), expression(depth: depth - 1),
                expression(depth: depth - 1),
            ]
        case "collator": return ["collator", .object(["locale": expression(depth: depth - 1)])]
        case "number-format":
            return [
                "number-format", expression(depth: depth - 1),
                .object(["max-fraction-digits": expression(depth: depth - 1)]),
            ]
        default:
            for _ in 0..<next(4) { elements.append(expression(depth: depth - 1)) }
            return .array(elements)
        }
    }
}
