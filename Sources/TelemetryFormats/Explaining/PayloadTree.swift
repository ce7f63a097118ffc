internal import JSON

/// A payload as a tree of values that can be replaced one by one.
struct PayloadTree {
    enum Step: Hashable {
        case key(String)
        case index(Int)
    }

    private enum Form {
        case json
        /// One text and no more.
        case text
        /// Lines of fields with commas between them, such as NMEA's sentences: an array of arrays.
        case lines
    }

    let root: JSONValue
    private let form: Form

    /// - Returns: `nil` for bytes that are neither JSON nor text.
    init?(_ payload: [UInt8]) {
        if let json = try? JSONParser().parse(payload, largeNumbersAreText: true) {
            (root, form) = (json, .json)
            return
        }
        guard let text = String(validating: payload, as: UTF8.self), !text.isEmpty else { return nil }
        guard text.utf8.contains(UInt8(ascii: ",")) else {
            (root, form) = (.string(text), .text)
            return
        }
        let lines = text.unicodeScalars.split { $0 == "\r" || $0 == "\n" }
        root = .array(
            lines.map { line in
                let body = Self.isSentence(line.first) ? line.prefix { $0 != "*" } : line
                return .array(body.split(separator: ",", omittingEmptySubsequences: false).map { .string(String($0)) })
            })
        form = .lines
    }

    /// The payload with another tree in the same form.
    func payload(_ root: JSONValue) -> [UInt8] {
        switch form {
        case .json: Array(root.text.utf8)
        case .text: Array((root.string ?? root.text).utf8)
        case .lines: Array((root.array ?? []).map(Self.line).joined(separator: "\n").utf8)
        }
    }

    /// A JSON Pointer (RFC 6901); of lines the line's number and the field's.
    static func pointer(_ path: [Step]) -> String {
        path.map { step in
            switch step {
            case .key(let key): "/" + JSONPointer.escape(key)
            case .index(let index): "/\(index)"
            }
        }.joined()
    }

    /// Fields as a line. A sentence's checksum is made anew, else no changed one would be read.
    private static func line(_ fields: JSONValue) -> String {
        let text = (fields.array ?? []).map { $0.string ?? "" }.joined(separator: ",")
        guard isSentence(text.unicodeScalars.first) else { return text }
        let sum = text.utf8.dropFirst().reduce(0, ^)
        return text + (sum < 16 ? "*0" : "*") + String(sum, radix: 16, uppercase: true)
    }

    /// NMEA 0183 begins its sentences so, and ends them with the checksum of what is between.
    private static func isSentence(_ first: Unicode.Scalar?) -> Bool { first == "$" || first == "!" }
}

extension JSONValue {
    /// The value with another one in a place inside it.
    ///
    /// - Parameter new: `nil` removes a member; an element becomes `null`, so that the others keep their places.
    func replacing(_ path: ArraySlice<PayloadTree.Step>, with new: JSONValue?) -> JSONValue {
        guard let step = path.first else { return new ?? .null }
        switch (step, self) {
        case (.key(let key), .object(var object)):
            if path.count == 1 {
                object[key] = new
            } else if let inner = object[key] {
                object[key] = inner.replacing(path.dropFirst(), with: new)
            }
            return .object(object)
        case (.index(let index), .array(var elements)):
            elements[index] = elements[index].replacing(path.dropFirst(), with: new)
            return .array(elements)
        default: return self
        }
    }

    /// What stands directly inside.
    var children: [(step: PayloadTree.Step, value: JSONValue)] {
        switch self {
        case .object(let object): object.members.map { (.key($0.key), $0.value) }
        case .array(let elements): elements.enumerated().map { (.index($0.offset), $0.element) }
        default: []
        }
    }

    /// Whether more than so many values without anything inside are in it.
    func hasMoreLeaves(than limit: Int) -> Bool {
        var count = 0
        func walk(_ value: JSONValue) -> Bool {
            let children = value.children
            if children.isEmpty { count += 1 }
            return count > limit || children.contains { walk($0.value) }
        }
        return walk(self)
    }
}
