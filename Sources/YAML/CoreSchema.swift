/// What a scalar is by YAML 1.2's core schema (YAML 1.2.2, §10.3.2). `yes`, `no`, `on` and `off` are text.
public enum CoreValue: Sendable, Equatable {
    case null
    case bool(Bool)
    case integer(Int64)
    /// A whole number above `Int64.max`.
    case unsigned(UInt64)
    /// Also infinities and NaN.
    case number(Double)
    /// Digits for which neither 64 bits nor a `Double` have room.
    case tooLarge
    case text(String)
}

extension YAMLScalar {
    public var coreValue: CoreValue {
        style == .quoted ? .text(text) : CoreValue(plain: text)
    }
}

extension CoreValue {
    /// Reads a scalar without quotes.
    public init(plain text: String) {
        switch text {
        case "", "~", "null", "Null", "NULL": self = .null
        case "true", "True", "TRUE": self = .bool(true)
        case "false", "False", "FALSE": self = .bool(false)
        case ".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF": self = .number(.infinity)
        case "-.inf", "-.Inf", "-.INF": self = .number(-.infinity)
        case ".nan", ".NaN", ".NAN": self = .number(.nan)
        default: self = Self.number(text) ?? .text(text)
        }
    }

    private static func number(_ text: String) -> CoreValue? {
        let bytes = Array(text.utf8)
        if bytes.count > 2, bytes[0] == UInt8(ascii: "0"),
            bytes[1] == UInt8(ascii: "x") || bytes[1] == UInt8(ascii: "o")
        {
            let radix = bytes[1] == UInt8(ascii: "x") ? 16 : 8
            let digits = text.dropFirst(2)
            guard digits.utf8.allSatisfy({ isDigit($0, radix: radix) }) else { return nil }
            return integer(String(digits), radix: radix)
        }
        switch shape(bytes) {
        case .whole: return integer(text, radix: 10)
        case .decimal:
            // Swift wants a digit on both sides of the point.
            guard let value = Double(text.replacingPoint()) else { return nil }
            return value.isFinite ? .number(value) : .tooLarge
        case nil: return nil
        }
    }

    private static func integer(_ digits: String, radix: Int) -> CoreValue {
        if let value = Int64(digits, radix: radix) { return .integer(value) }
        if let value = UInt64(digits, radix: radix) { return .unsigned(value) }
        return .tooLarge
    }

    private static func isDigit(_ byte: UInt8, radix: Int) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "7"): true
        case UInt8(ascii: "8")...UInt8(ascii: "9"): radix > 8
        case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"): radix == 16
        default: false
        }
    }

    private enum Shape { case whole, decimal }

    /// `[-+]?[0-9]+` is whole, `[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?` decimal.
    private static func shape(_ bytes: [UInt8]) -> Shape? {
        var rest = bytes[...]
        func digits() -> Int {
            let count = rest.prefix { isDigit($0, radix: 10) }.count
            rest = rest.dropFirst(count)
            return count
        }
        func take(_ characters: UInt8...) -> Bool {
            guard let first = rest.first, characters.contains(first) else { return false }
            rest = rest.dropFirst()
            return true
        }
        _ = take(UInt8(ascii: "+"), UInt8(ascii: "-"))
        let whole = digits()
        if whole > 0, rest.isEmpty { return .whole }
        let fraction = take(UInt8(ascii: ".")) ? digits() : 0
        guard whole + fraction > 0 else { return nil }
        if take(UInt8(ascii: "e"), UInt8(ascii: "E")) {
            _ = take(UInt8(ascii: "+"), UInt8(ascii: "-"))
            guard digits() > 0 else { return nil }
        }
        return rest.isEmpty ? .decimal : nil
    }
}

extension String {
    /// `.5` as `0.5`, `5.` as `5.0`, `5.e3` as `5.0e3`.
    fileprivate func replacingPoint() -> String {
        guard let point = firstIndex(of: ".") else { return self }
        let before = self[..<point]
        let after = self[index(after: point)...]
        let lacksWhole = before.last?.isNumber != true
        let lacksFraction = after.first?.isNumber != true
        return before + (lacksWhole ? "0." : ".") + (lacksFraction ? "0" : "") + after
    }
}
