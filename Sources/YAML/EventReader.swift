internal import CYAML

/// What libyaml finds, one after the other, as Swift values.
struct Event {
    enum Kind {
        case documentStart, documentEnd, streamEnd
        case alias(String)
        case scalar(text: String, isPlain: Bool, Properties)
        case sequenceStart(Properties)
        case sequenceEnd
        case mappingStart(Properties)
        case mappingEnd
    }

    struct Properties {
        var anchor: String?
        var tag: String?
    }

    var kind: Kind
    var place: YAMLPlace
}

/// Owns one `yaml_parser_t`; its pointers never leave this file. Not `Sendable`: it belongs to the thread that reads.
final class EventReader {
    private let parser: UnsafeMutablePointer<yaml_parser_t>
    private let input: UnsafeMutableBufferPointer<UInt8>

    /// - Parameter bytes: UTF-8 without a byte order mark.
    init(_ bytes: ArraySlice<UInt8>) {
        input = .allocate(capacity: bytes.count)
        _ = input.initialize(from: bytes)
        parser = .allocate(capacity: 1)
        guard yaml_parser_initialize(parser) == 1 else { preconditionFailure("out of memory") }
        yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        yaml_parser_set_input_string(parser, input.baseAddress, bytes.count)
    }

    deinit {
        yaml_parser_delete(parser)
        parser.deallocate()
        input.deallocate()
    }

    func next() throws(YAMLError) -> Event {
        while true {
            var event = yaml_event_t()
            guard yaml_parser_parse(parser, &event) == 1 else { throw error() }
            defer { yaml_event_delete(&event) }
            let mark = event.start_mark
            if let kind = Self.kind(of: event) {
                return Event(kind: kind, place: YAMLPlace(line: Int(mark.line) + 1, column: Int(mark.column) + 1))
            }
        }
    }

    /// `nil` for the start of the stream, which says nothing.
    private static func kind(of event: yaml_event_t) -> Event.Kind? {
        switch event.type {
        case YAML_DOCUMENT_START_EVENT: return .documentStart
        case YAML_DOCUMENT_END_EVENT: return .documentEnd
        case YAML_STREAM_END_EVENT: return .streamEnd
        case YAML_ALIAS_EVENT: return .alias(text(event.data.alias.anchor) ?? "")
        case YAML_SCALAR_EVENT:
            let scalar = event.data.scalar
            let text = String(decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
            return .scalar(
                text: text, isPlain: scalar.style == YAML_PLAIN_SCALAR_STYLE, properties(scalar.anchor, scalar.tag))
        case YAML_SEQUENCE_START_EVENT:
            return .sequenceStart(properties(event.data.sequence_start.anchor, event.data.sequence_start.tag))
        case YAML_SEQUENCE_END_EVENT: return .sequenceEnd
        case YAML_MAPPING_START_EVENT:
            return .mappingStart(properties(event.data.mapping_start.anchor, event.data.mapping_start.tag))
        case YAML_MAPPING_END_EVENT: return .mappingEnd
        default: return nil
        }
    }

    private static func properties(
        _ anchor: UnsafeMutablePointer<yaml_char_t>?, _ tag: UnsafeMutablePointer<yaml_char_t>?
    ) -> Event.Properties {
        Event.Properties(anchor: text(anchor), tag: text(tag))
    }

    private static func text(_ characters: UnsafeMutablePointer<yaml_char_t>?) -> String? {
        characters.map { String(cString: $0) }
    }

    private func error() -> YAMLError {
        let raw = parser.pointee
        if raw.error == YAML_MEMORY_ERROR { preconditionFailure("out of memory") }
        let problem = raw.problem.map { String(cString: $0) } ?? "not YAML"
        if raw.error == YAML_READER_ERROR {
            return YAMLError(place(ofByte: raw.problem_offset), problem)
        }
        // Past a last line without its break libyaml counts one more.
        let place = min(
            YAMLPlace(line: Int(raw.problem_mark.line) + 1, column: Int(raw.problem_mark.column) + 1),
            place(ofByte: input.count))
        var message = problem
        if let context = raw.context.map({ String(cString: $0) }) { message += " \(context)" }
        if raw.context != nil, raw.context_mark.line != raw.problem_mark.line {
            message += " that begins at \(raw.context_mark.line + 1):\(raw.context_mark.column + 1)"
        }
        return YAMLError(place, message + hint(at: place))
    }

    /// What people mean who run into one of the characters that have a meaning in YAML.
    private func hint(at place: YAMLPlace) -> String {
        switch character(at: place) {
        case UInt8(ascii: "\t"): "; a tab, where YAML indents with spaces only"
        case UInt8(ascii: ">"), UInt8(ascii: "*"), UInt8(ascii: "%"), UInt8(ascii: "!"), UInt8(ascii: "@"),
            UInt8(ascii: "`"), UInt8(ascii: "&"), UInt8(ascii: "{"):
            "; text that begins or goes on with this character needs quotes"
        default: ""
        }
    }

    private func character(at place: YAMLPlace) -> UInt8? {
        let lines = input.split(separator: UInt8(ascii: "\n"), maxSplits: place.line, omittingEmptySubsequences: false)
        guard place.line <= lines.count else { return nil }
        let scalars = String(decoding: lines[place.line - 1], as: UTF8.self).unicodeScalars
        guard let scalar = scalars.dropFirst(place.column - 1).first, scalar.isASCII else { return nil }
        return UInt8(scalar.value)
    }

    private func place(ofByte offset: Int) -> YAMLPlace { YAMLPlace(of: offset, in: input[...]) }
}

extension YAMLPlace {
    /// The place of a byte; what comes before it is UTF-8.
    init(of offset: Int, in bytes: some RandomAccessCollection<UInt8>) {
        let before = bytes.prefix(offset)
        let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { before.index(after: $0) } ?? before.startIndex
        self.init(
            line: before.count { $0 == UInt8(ascii: "\n") } + 1,
            column: before[lineStart...].count { $0 & 0xC0 != 0x80 } + 1)
    }
}
