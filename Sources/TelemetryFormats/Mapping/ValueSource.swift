public import JSON
internal import Locations
internal import MQTTModel

/// Where a value of a message comes from.
public enum ValueSource: Sendable, Equatable {
    /// `/pose/x`: from the object that is being read.
    case pointer(JSONPointer)
    /// `#/header/ts`: from the whole message, also while one of its elements is read.
    case messagePointer(JSONPointer)
    /// `{operator}/{vehicle}`: put together.
    case template([Piece])
    case constant(JSONValue)

    public enum Piece: Sendable, Equatable {
        case text(String)
        /// A named level of the topic; `source` is the source's `device` setting, else its id; `key` the key of the
        /// element that is being read.
        case name(String)
        /// A level of the topic by its number: from 0, or from the end: −1 is the last one.
        case level(Int)
        /// What stands there, as text.
        case pointer(JSONPointer)
    }
}

extension ValueSource {
    /// Why a text names no source, for people.
    public struct SyntaxError: Error, Equatable {
        public var message: String
    }

    public init(_ text: String) throws(SyntaxError) {
        if let pointer = JSONPointer(text) {
            self = .pointer(pointer)
        } else if text.utf8.first == UInt8(ascii: "#"), let pointer = JSONPointer(String(text.dropFirst())) {
            self = .messagePointer(pointer)
        } else if text.hasPrefix("/") || text.hasPrefix("#/") {
            throw SyntaxError(message: "in a JSON Pointer ~ stands only in ~0, a ~, and ~1, a /")
        } else if text.utf8.contains(UInt8(ascii: "{")) {
            self = .template(try Self.pieces(of: text))
        } else {
            throw SyntaxError(
                message: "neither a JSON Pointer such as /\(text) nor a text with levels of the topic such as {device}")
        }
    }

    private static func pieces(of text: String) throws(SyntaxError) -> [Piece] {
        var pieces: [Piece] = []
        var rest = text[...]
        while let open = rest.firstIndex(of: "{") {
            if open > rest.startIndex { pieces.append(.text(String(rest[..<open]))) }
            let inside = rest[rest.index(after: open)...]
            guard let close = inside.firstIndex(of: "}") else { throw SyntaxError(message: "{ is not closed with }") }
            pieces.append(try piece(String(inside[..<close])))
            rest = inside[inside.index(after: close)...]
        }
        if !rest.isEmpty { pieces.append(.text(String(rest))) }
        return pieces
    }

    private static func piece(_ name: String) throws(SyntaxError) -> Piece {
        if let level = Int(name) { return .level(level) }
        if name.hasPrefix("/"), let pointer = JSONPointer(name) { return .pointer(pointer) }
        let isName =
            name.utf8.first.map { Self.isLetter($0) } ?? false
            && name.utf8.allSatisfy { Self.isLetter($0) || 0x30...0x39 ~= $0 }
        guard isName else {
            throw SyntaxError(
                message: "{\(name)} is neither the name of a level nor a level's number nor a JSON Pointer")
        }
        return .name(name)
    }

    private static func isLetter(_ byte: UInt8) -> Bool { 0x61...0x7A ~= byte | 0x20 }

    /// The names that a topic must have for it.
    public var names: [String] {
        guard case .template(let pieces) = self else { return [] }
        return pieces.compactMap { if case .name(let name) = $0 { name } else { nil } }
    }
}

/// For the mappings that ship with the bridge: what is no source there is a fault of the program.
extension ValueSource: ExpressibleByStringLiteral {
    public init(stringLiteral text: String) {
        do throws(SyntaxError) {
            try self.init(text)
        } catch {
            preconditionFailure("\(text): \(error.message)")
        }
    }
}

/// A message, or one element of it, while it is read.
struct MappingScope {
    let message: IncomingMessage
    /// Levels that a message's own topic pattern names; those of the source's filter win.
    var names = TopicNames()
    /// The source's `device` setting, else its id.
    let source: String
    let document: JSONValue
    var element: JSONValue
    var key: String?
    /// The way from the document to the element.
    var place = ""
}

extension MappingScope {
    /// - Returns: `nil` where nothing stands there.
    func value(of source: ValueSource, droppingZeros: Bool = false) -> JSONValue? {
        switch source {
        case .pointer(let pointer): return pointer.value(in: element)
        case .messagePointer(let pointer): return pointer.value(in: document)
        case .constant(let value): return value
        case .template(let pieces):
            var text = ""
            for piece in pieces {
                guard let part = self.text(of: piece) else { return nil }
                text += droppingZeros ? part.droppingLeadingZeros : part
            }
            return .string(text)
        }
    }

    private func text(of piece: ValueSource.Piece) -> String? {
        let levels = message.topic.levels
        switch piece {
        case .text(let text): return text
        case .name("key"): return key
        case .name("source"): return source
        case .name(let name): return message.names[name] ?? names[name]
        case .level(let number):
            let index = number < 0 ? levels.count + number : number
            return levels.indices.contains(index) ? levels[index] : nil
        case .pointer(let pointer): return pointer.value(in: element)?.plainText
        }
    }

    /// Where a source points to, for a rejection.
    func pointer(to source: ValueSource?) -> String {
        switch source {
        case .pointer(let pointer)?: place + pointer.plainText(in: element)
        case .messagePointer(let pointer)?: pointer.plainText(in: document)
        default: place
        }
    }
}

extension JSONValue {
    /// A text, number or truth value as text.
    var plainText: String? {
        switch self {
        case .string(let text): text
        case .number(let number): JSONNumber.text(of: number)
        case .bigInteger(let digits): digits
        case .bool(let value): value ? "true" : "false"
        default: nil
        }
    }
}

extension String {
    /// `00423` as `423`; of nothing but zeros one stays.
    var droppingLeadingZeros: String {
        let rest = utf8.drop { $0 == UInt8(ascii: "0") }
        return rest.isEmpty ? (isEmpty ? "" : "0") : String(Substring(rest))
    }
}
