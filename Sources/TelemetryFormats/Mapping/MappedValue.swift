public import JSON
public import Locations

/// One way to a value: where it stands, what is done with its text, and what its words mean.
///
/// The steps go in the order of the members. A source that is missing or `null` gives way to the next one.
public struct MappedValue: Sendable, Equatable {
    public var sources: [ValueSource]
    /// What tells whether the value counts.
    public var validity: Validity?
    /// Cuts a text at each separator and takes one part, by its number from 0 or from the end: −1 is the last one.
    public var split: Split?
    /// Characters that are taken off both ends, together with blanks; `nil`: the text stays as it is.
    public var trim: String?
    public var dropsLeadingZeros = false
    public var lowercases = false
    /// Values that mean "not known".
    public var unknown: [JSONValue] = []
    /// Meanings by word; `null` says nothing.
    public var table: [Meaning]?
    /// What stands for every word that is not in the table; `nil`: such a word is a fault.
    public var otherwise: JSONValue?

    public struct Split: Sendable, Equatable {
        public var separator: String
        public var part: Int

        public init(separator: String, part: Int) {
            self.separator = separator
            self.part = part
        }
    }

    public struct Meaning: Sendable, Equatable {
        public var word: String
        public var value: JSONValue

        public init(_ word: String, _ value: JSONValue) {
            self.word = word
            self.value = value
        }
    }

    public init(_ sources: [ValueSource] = []) { self.sources = sources }
}

extension MappedValue: ExpressibleByStringLiteral {
    public init(stringLiteral text: String) { sources = [ValueSource(stringLiteral: text)] }
}

extension MappedValue {
    /// With changes, for a literal.
    init(_ source: ValueSource, _ change: (inout MappedValue) -> Void) {
        self.init([source])
        change(&self)
    }

    /// With words and their meanings.
    init(_ source: ValueSource, table: KeyValuePairs<String, JSONValue>, else otherwise: JSONValue? = nil) {
        self.init([source])
        self.table = table.map { Meaning($0.key, $0.value) }
        self.otherwise = otherwise
    }
}

// MARK: Reading

extension MappedValue {
    /// What the message says, before it becomes a field: a value that is not in the table is unknown, and a fault of the
    /// field.
    func read(_ scope: MappingScope, _ field: StaticString, _ fields: inout FieldReader) -> Reading<JSONValue> {
        guard let found = found(in: scope) else { return .absent }
        if let validity, !validity.holds(in: scope.element) { return .unknown }
        guard let value = worked(found) else { return .absent }
        if unknown.contains(where: value.means) { return .unknown }
        guard let table else { return .value(value) }
        let word = value.plainText?.lowercased()
        let meaning = table.first { word?.hasSameBytes(as: $0.word.lowercased()) ?? false }?.value ?? otherwise
        switch meaning {
        case .null?: return .absent
        case let meaning?: return .value(meaning)
        case nil:
            fields.fault("\(field)-not-in-table")
            return .unknown
        }
    }

    /// The first source that says something; `null` does where it is listed as unknown.
    private func found(in scope: MappingScope) -> JSONValue? {
        let nullSpeaks = unknown.contains { $0.isNull }
        for source in sources {
            guard let value = scope.value(of: source, droppingZeros: dropsLeadingZeros) else { continue }
            if nullSpeaks || !value.isNull { return value }
        }
        return nil
    }

    /// - Returns: `nil` where a text has not so many parts.
    private func worked(_ value: JSONValue) -> JSONValue? {
        guard var text = value.string else {
            guard dropsLeadingZeros || lowercases || split != nil, let text = value.plainText else { return value }
            return worked(.string(text))
        }
        if let split {
            let parts = text.utf8.split(separator: split.separator.utf8, omittingEmptySubsequences: false)
            let index = split.part < 0 ? parts.count + split.part : split.part
            guard parts.indices.contains(index) else { return nil }
            text = String(Substring(parts[index])).trimming("")
        }
        if let trim { text = text.trimming(trim) }
        // Where pieces are put together, each has lost its own zeros.
        if dropsLeadingZeros, !isTemplate { text = text.droppingLeadingZeros }
        if lowercases { text = text.lowercased() }
        return .string(text)
    }

    private var isTemplate: Bool {
        sources.contains { if case .template = $0 { true } else { false } }
    }
}

extension String {
    /// Without blanks and some other characters at both ends.
    fileprivate func trimming(_ others: String) -> String {
        func isTaken(_ scalar: Unicode.Scalar) -> Bool {
            scalar == " " || scalar == "\t" || scalar == "\n" || scalar == "\r"
                || others.unicodeScalars.contains(scalar)
        }
        var scalars = unicodeScalars[...]
        scalars = scalars.drop(while: isTaken)
        while let last = scalars.last, isTaken(last) { scalars.removeLast() }
        return String(scalars)
    }
}

extension JSONValue {
    /// Whether a message's value is one that somebody listed: numbers may be text, words in any case and with blanks
    /// around.
    func means(_ listed: JSONValue) -> Bool {
        switch (self, listed) {
        case (.string(let text), .number(let number)): DecimalText.number(text.trimming("")) == number
        case (.string(let text), .string(let word)):
            text.trimming("").lowercased().hasSameBytes(as: word.trimming("").lowercased())
        case (.string(let text), .bool(let value)): text.trimming("").lowercased() == (value ? "true" : "false")
        case (.number, .string(let word)): DecimalText.number(word).map { .number($0) == self } ?? false
        default: self == listed
        }
    }
}

extension Validity {
    /// A member that is missing or `null` says nothing against the value.
    func holds(in element: JSONValue) -> Bool {
        guard let flag = pointer.value(in: element), !flag.isNull else { return true }
        return good.map { $0.contains(where: flag.means) } ?? !bad.contains(where: flag.means)
    }
}
