internal import JSON

/// `number-format`: a number as a language writes it, with a currency or unit where one is named.
final class NumberFormat: Node {
    struct Options {
        var locale, currency, unit, minimumDigits, maximumDigits: Node?

        var nodes: [Node] {
            [locale, currency, unit, minimumDigits, maximumDigits].compactMap { $0 }
        }
    }

    private let number: Node
    private let options: Options

    private init(_ number: Node, _ options: Options, key: String) {
        self.number = number
        self.options = options
        super.init(.string, key: key, children: [number] + options.nodes)
    }

    override func evaluate(
        _ feature: any ExpressionFeature, _ context: EvaluationContext
    ) throws(EvaluationError) -> Value {
        let language = try LanguageTag.evaluated(options.locale, feature, context)
        var style = NumberStyle()
        if let currency = try options.currency?.string(feature, context) { try style.use(currency: currency) }
        if let unit = try options.unit?.string(feature, context) { try style.use(unit: unit) }
        try style.limitDigits(
            minimum: try options.minimumDigits?.number(feature, context),
            maximum: try options.maximumDigits?.number(feature, context))
        let number = try number.number(feature, context)
        guard let formatter = NumberFormatter(skeleton: style.skeleton, language: language) else {
            throw EvaluationError(
                nil, .other("Invalid unit argument for number-format '\(style.unit ?? "")'"))
        }
        return .string(formatter.text(of: number))
    }

    static func parse(_ arguments: Arguments, _ context: ParsingContext) -> Node? {
        guard arguments.count == 2 else { return context.error("Expected two arguments.") }
        guard let number = context.parse(arguments[1], at: 1, expecting: .number) else { return nil }
        guard let object = arguments[2].object else {
            return context.error("NumberFormat options argument must be an object.")
        }
        var options = Options()
        // Upstream leaves out options that are false, empty or 0 when written as constants.
        let known: [(String, ExpressionType, WritableKeyPath<Options, Node?>)] = [
            ("locale", .string, \.locale), ("currency", .string, \.currency), ("unit", .string, \.unit),
            ("min-fraction-digits", .number, \.minimumDigits),
            ("max-fraction-digits", .number, \.maximumDigits),
        ]
        for (name, type, member) in known {
            guard let json = object[name], json.isTruthy else { continue }
            guard let node = context.parse(json, at: 1, steps: [.index(2), .member(name)], expecting: type) else {
                return nil
            }
            options[keyPath: member] = node
        }
        guard options.currency == nil || options.unit == nil else {
            return context.error("NumberFormat options `currency` and `unit` are mutually exclusive")
        }
        return NumberFormat(number, options, key: context.key)
    }
}

/// The options of ECMA-402's `Intl.NumberFormat` as ICU's number skeleton.
private struct NumberStyle {
    private var currency: String?
    private(set) var unit: String?
    private var digits: ClosedRange<Int>?

    mutating func use(currency code: String) throws(EvaluationError) {
        let isCode =
            code.utf8.count == 3
            && code.utf8.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")) ~= $0 | 0x20 }
        guard isCode else { throw EvaluationError(nil, .other("Invalid currency code : \(code)")) }
        currency = code.uppercased()
    }

    mutating func use(unit name: String) throws(EvaluationError) {
        let isName = name.utf8.allSatisfy {
            (UInt8(ascii: "a")...UInt8(ascii: "z")) ~= $0 || $0 == UInt8(ascii: "-")
        }
        guard isName, !name.isEmpty else {
            throw EvaluationError(nil, .other("Invalid unit argument for Intl.NumberFormat() '\(name)'"))
        }
        unit = name
    }

    /// - Parameters: Each `nil` where it is not given; then it follows the other one or what is usual.
    mutating func limitDigits(minimum: Double?, maximum: Double?) throws(EvaluationError) {
        func whole(_ number: Double, _ name: String) throws(EvaluationError) -> Int {
            guard number >= 0, number <= 100 else {
                throw EvaluationError(nil, .other("\(name) value is out of range."))
            }
            return Int(number)
        }
        guard minimum != nil || maximum != nil else { return }
        let usual = currency.map { NumberFormatter.usualDigits(ofCurrency: $0) }
        let least = try minimum.map { number throws(EvaluationError) in
            try whole(number, "minimumFractionDigits")
        }
        let most = try maximum.map { number throws(EvaluationError) in
            try whole(number, "maximumFractionDigits")
        }
        let lower = least ?? min(usual ?? 0, most ?? .max)
        let upper = most ?? max(usual ?? 3, lower)
        guard lower <= upper else {
            throw EvaluationError(nil, .other("maximumFractionDigits value is out of range."))
        }
        digits = lower...upper
    }

    var skeleton: String {
        var stems = ["rounding-mode-half-up"]
        if let currency { stems.append("currency/\(currency)") }
        if let unit { stems.append("unit/\(unit) unit-width-short") }
        if let digits = digits ?? (currency == nil ? 0...3 : nil) {
            stems.append(
                "." + String(repeating: "0", count: digits.lowerBound)
                    + String(repeating: "#", count: digits.upperBound - digits.lowerBound))
        }
        return stems.joined(separator: " ")
    }
}
