internal import JSON

/// `collator`: a language's rules for comparing texts.
final class Collation: Node {
    private let caseSensitive, diacriticSensitive: Node
    private let locale: Node?
    /// Rules whose options are all constant are made once.
    private let constant: Collator?

    private init(
        caseSensitive: Node, diacriticSensitive: Node, locale: Node?, key: String
    ) {
        self.caseSensitive = caseSensitive
        self.diacriticSensitive = diacriticSensitive
        self.locale = locale
        if case .bool(let isCaseSensitive)? = (caseSensitive as? Literal)?.value,
            case .bool(let isDiacriticSensitive)? = (diacriticSensitive as? Literal)?.value,
            let language = Self.constantLanguage(locale)
        {
            constant = Collator(
                language, isCaseSensitive: isCaseSensitive, isDiacriticSensitive: isDiacriticSensitive)
        } else {
            constant = nil
        }
        super.init(.collator, key: key, children: [caseSensitive, diacriticSensitive] + (locale.map { [$0] } ?? []))
    }

    private static func constantLanguage(_ locale: Node?) -> LanguageTag? {
        guard let locale else { return .fallback }
        guard case .string(let tag)? = (locale as? Literal)?.value else { return nil }
        return LanguageTag(tag)
    }

    /// Upstream never folds it, for its results depend on where it runs.
    override var folding: Folding { .never }

    override func evaluate(
        _ feature: any ExpressionFeature, _ context: EvaluationContext
    ) throws(EvaluationError) -> Value {
        if let constant { return .collator(constant) }
        let isCaseSensitive = try caseSensitive.boolean(feature, context)
        let isDiacriticSensitive = try diacriticSensitive.boolean(feature, context)
        let language = try LanguageTag.evaluated(locale, feature, context)
        guard
            let collator = Collator(
                language, isCaseSensitive: isCaseSensitive, isDiacriticSensitive: isDiacriticSensitive)
        else { throw EvaluationError(nil, .other("No collation rules for \(language.text)")) }
        return .collator(collator)
    }

    static func parse(_ arguments: Arguments, _ context: ParsingContext) -> Node? {
        guard arguments.count == 1 else { return context.error("Expected one argument.") }
        guard let options = arguments[1].object else {
            return context.error("Collator options argument must be an object.")
        }
        func option(_ name: String, _ type: ExpressionType) -> Node? {
            context.parse(
                options[name] ?? .bool(false), at: 1, steps: [.index(1), .member(name)], expecting: type)
        }
        guard let caseSensitive = option("case-sensitive", .boolean),
            let diacriticSensitive = option("diacritic-sensitive", .boolean)
        else { return nil }
        var locale: Node?
        if options["locale"]?.isTruthy ?? false {
            locale = option("locale", .string)
            if locale == nil { return nil }
        }
        return Collation(
            caseSensitive: caseSensitive, diacriticSensitive: diacriticSensitive, locale: locale,
            key: context.key)
    }
}

extension LanguageTag {
    /// The language that an optional part of an expression names.
    static func evaluated(
        _ locale: Node?, _ feature: any ExpressionFeature, _ context: EvaluationContext
    ) throws(EvaluationError) -> LanguageTag {
        guard let tag = try locale?.string(feature, context), !tag.isEmpty else { return .fallback }
        guard let language = LanguageTag(tag) else {
            throw EvaluationError(nil, .other("Incorrect locale information provided"))
        }
        return language
    }
}

/// `resolved-locale`
final class ResolvedLocale: Node {
    private let collator: Node

    init(_ collator: Node, key: String) {
        self.collator = collator
        super.init(.string, key: key, children: [collator])
    }

    override func evaluate(
        _ feature: any ExpressionFeature, _ context: EvaluationContext
    ) throws(EvaluationError) -> Value {
        let value = try collator.evaluate(feature, context)
        guard case .collator(let rules) = value else {
            throw EvaluationError(key, .unexpectedType(.collator, value))
        }
        return .string(rules.locale)
    }
}
