/// A topic filter whose levels may have names: `fleet/{source}/{device}/telemetry`. A bare `+` is any level, `#` the rest.
public struct TopicTemplate: Sendable, Hashable {
    public enum Level: Sendable, Hashable {
        case literal(String)
        case named(String)
        case any
        /// Any number of further levels, also none; only at the end.
        case rest
    }

    public let levels: [Level]

    /// Why a text is no filter, for people.
    public struct SyntaxError: Error, Equatable {
        public var message: String
    }

    public init(_ text: String) throws(SyntaxError) {
        guard !text.isEmpty else { throw SyntaxError(message: "a topic filter is not empty") }
        guard text.utf8.count <= 65_535 else { throw SyntaxError(message: "a topic filter has at most 65535 bytes") }
        var levels: [Level] = []
        var names: Set<String> = []
        let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map {
            Substring($0)
        }
        for (index, part) in parts.enumerated() {
            if part.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) {
                throw SyntaxError(message: "a topic filter has no control characters")
            }
            switch part {
            case "+": levels.append(.any)
            case "#":
                guard index == parts.count - 1 else { throw SyntaxError(message: "# stands only at the end") }
                levels.append(.rest)
            case _ where part.hasPrefix("{") && part.hasSuffix("}"):
                let name = String(part.dropFirst().dropLast())
                guard let first = name.utf8.first, first | 0x20 >= UInt8(ascii: "a"), first | 0x20 <= UInt8(ascii: "z"),
                    name.utf8.allSatisfy({
                        ($0 | 0x20 >= UInt8(ascii: "a") && $0 | 0x20 <= UInt8(ascii: "z"))
                            || ($0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9"))
                    })
                else { throw SyntaxError(message: "{\(name)} is no name of a level: letters and digits") }
                guard names.insert(name).inserted else {
                    throw SyntaxError(message: "{\(name)} stands twice in one filter")
                }
                levels.append(.named(name))
            case _
            where part.utf8.contains(UInt8(ascii: "+")) || part.utf8.contains(UInt8(ascii: "#"))
                || part.utf8.contains(UInt8(ascii: "{")) || part.utf8.contains(UInt8(ascii: "}")):
                throw SyntaxError(message: "a wildcard or name is a whole level, unlike \"\(part)\"")
            default: levels.append(.literal(String(part)))
            }
        }
        self.levels = levels
    }

    /// The filter as it goes on the wire: `fleet/+/+/telemetry`.
    public var topicFilter: String {
        levels.map { level in
            switch level {
            case .literal(let text): text
            case .named, .any: "+"
            case .rest: "#"
            }
        }.joined(separator: "/")
    }

    public var names: Set<String> {
        Set(
            levels.compactMap { level in
                if case .named(let name) = level { name } else { nil }
            })
    }

    /// The last level where it is literal: in native telemetry it says what a topic carries.
    public var lastLiteral: String? {
        if case .literal(let text) = levels.last { text } else { nil }
    }
}

extension TopicTemplate: CustomStringConvertible {
    /// As it was written.
    public var description: String {
        levels.map { level in
            switch level {
            case .literal(let text): text
            case .named(let name): "{\(name)}"
            case .any: "+"
            case .rest: "#"
            }
        }.joined(separator: "/")
    }
}
