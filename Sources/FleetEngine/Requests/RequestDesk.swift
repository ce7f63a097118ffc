internal import JSON
internal import Locations
internal import Wording

/// What may be asked of the bridge on `P/request/{name}`.
enum RequestName: String, CaseIterable {
    case explain
    case locationsGet = "locations/get"
    case locationsRemove = "locations/remove"
    case configReload = "config/reload"
    case sourcesList = "sources/list"
    case sourcesAdd = "sources/add"
    case sourcesReplace = "sources/replace"
    case sourcesRemove = "sources/remove"
    case sourcesStart = "sources/start"
    case sourcesStop = "sources/stop"
    case sourcesClear = "sources/clear"

    /// What such a request may have beside its transaction.
    var members: [String] {
        switch self {
        case .explain: ["source", "id", "property"]
        case .locationsGet: ["source", "id", "type", "building", "status", "floor", "limit", "after"]
        case .locationsRemove: ["source", "id"]
        case .configReload: []
        case .sourcesList: ["limit", "after"]
        case .sourcesAdd, .sourcesReplace: ["source", "settings"]
        case .sourcesRemove, .sourcesStart, .sourcesStop, .sourcesClear: ["source"]
        }
    }
}

/// Why a request is not done. The codes are for programs and never change.
struct RequestError: Error {
    enum Code: String {
        case unknownRequest = "unknown-request"
        case payloadTooLarge = "payload-too-large"
        /// The payload is not JSON.
        case invalidJSON = "invalid-json"
        /// It is no object, or a member is missing or wrong.
        case invalidRequest = "invalid-request"
        /// It has a member that such requests do not have, most likely a misspelt one.
        case unknownMember = "unknown-member"
        case unknownSource = "unknown-source"
        case unknownLocation = "unknown-location"
        case unknownProperty = "unknown-property"
        /// The configuration has a source of this name.
        case sourceExists = "source-exists"
        /// The source is one that a template made, or that no message feeds.
        case notConfigured = "not-configured"
        /// The configuration would be wrong; nothing is changed.
        case invalidConfiguration = "invalid-configuration"
        /// Too many requests wait for the configuration to be read.
        case busy
        /// There is an answer, but the broker or `maxOutput` does not let it through.
        case responseTooLarge = "response-too-large"
    }

    var code: Code
    /// For people.
    var message: String
    /// All faults, where there may be several: one line each.
    var errors: [String] = []

    init(_ code: Code, _ message: String, errors: [String] = []) {
        (self.code, self.message, self.errors) = (code, message, errors)
    }
}

/// A request, and where its answer goes.
struct Request {
    /// Of the answer.
    var topicName: String
    /// The asker's own, which comes back.
    var correlation: [UInt8]?
    var transaction: JSONValue?
}

/// The frame around all requests: `{"transaction":T, …}` in, `{"transaction":T,"ok":true,"data":…}` or
/// `{…,"ok":false,"error":{"code","message"}}` out.
enum RequestDesk {
    private static let maximumPayload = 64 * 1024
    private static let maximumName = 256
    /// Bytes of an answer beside its transaction and data, at most.
    private static let frame = 64

    /// A name for the answer's topic that cannot be too long, nor be refused by a broker.
    static func topic(of name: String) -> String {
        name.utf8.count <= maximumName && !name.utf8.contains(0) ? name : "unknown"
    }

    static func read(_ payload: [UInt8], _ parser: JSONParser) throws(RequestError) -> JSONObject {
        guard payload.count <= maximumPayload else {
            throw RequestError(.payloadTooLarge, "\(payload.count) bytes, more than \(maximumPayload)")
        }
        guard !payload.isEmpty else { return JSONObject() }
        let json: JSONValue
        do {
            json = try parser.parse(payload)
        } catch {
            throw RequestError(.invalidJSON, error.detail)
        }
        guard let object = json.object else { throw RequestError(.invalidRequest, "a request is a JSON object") }
        return object
    }

    static func transaction(of content: JSONObject) throws(RequestError) -> JSONValue? {
        switch content["transaction"] {
        case .string, .number, .bigInteger: return content["transaction"]
        case nil: return nil
        default: throw RequestError(.invalidRequest, "\"transaction\" is neither text nor number")
        }
    }

    static func name(_ text: String) throws(RequestError) -> RequestName {
        if let known = RequestName.allCases.first(where: { $0.rawValue.hasSameBytes(as: text) }) { return known }
        let names = RequestName.allCases.map(\.rawValue).joined(separator: ", ")
        throw RequestError(.unknownRequest, "there is no such request; known are \(names)")
    }

    /// A request with a filter that nobody heeds would answer, or remove, more than was meant.
    static func check(_ content: JSONObject, of name: RequestName) throws(RequestError) {
        try content.check(members: name.members + ["transaction"], of: name.rawValue)
    }

    /// Bytes of data that an answer may have.
    static func room(for request: Request, limit: Int) -> Int {
        limit - frame - (request.transaction?.text.utf8.count ?? 0)
    }

    /// - Parameters:
    ///   - result: Data as JSON.
    ///   - limit: Bytes of the answer at most.
    static func answer(_ request: Request, _ result: Result<[UInt8], RequestError>, limit: Int) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        if let transaction = request.transaction {
            writer.key("transaction")
            writer.value(transaction)
        }
        writer.key("ok")
        switch result {
        case .success(let data):
            writer.bool(true)
            writer.key("data")
            writer.raw(data)
        case .failure(let error):
            writer.bool(false)
            writer.key("error")
            write(error, to: &writer)
        }
        writer.endObject()
        guard writer.count > limit else { return writer.bytes }
        switch result {
        case .success:
            let error = RequestError(
                .responseTooLarge, "the answer has \(writer.count) bytes, more than \(limit)")
            return answer(request, .failure(error), limit: .max)
        case .failure(var error):
            error.errors = Array(error.errors.prefix(1))
            return answer(request, .failure(error), limit: .max)
        }
    }

    private static func write(_ error: RequestError, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("code")
        writer.string(error.code.rawValue)
        writer.key("message")
        writer.string(error.message)
        if !error.errors.isEmpty {
            writer.key("errors")
            writer.texts(error.errors)
        }
        writer.endObject()
    }
}

extension JSONWriter {
    mutating func texts(_ texts: some Sequence<String>) {
        beginArray()
        for text in texts { string(text) }
        endArray()
    }
}

extension JSONObject {
    /// - Parameter owner: What may have these members.
    func check(members known: [String], of owner: String) throws(RequestError) {
        for member in members where !known.contains(where: { $0.hasSameBytes(as: member.key) }) {
            let hint = Suggestion.closest(to: member.key, among: known).map { "; did you mean \"\($0)\"?" } ?? ""
            throw RequestError(.unknownMember, "\(owner) has no member \"\(Self.shown(member.key))\"\(hint)")
        }
    }

    /// A key that somebody sent, no longer than a message is read.
    private static func shown(_ key: String) -> String { key.count > 60 ? key.prefix(60) + "…" : key }

    func text(_ key: String) throws(RequestError) -> String {
        guard let text = try optionalText(key) else { throw RequestError(.invalidRequest, "\"\(key)\" is missing") }
        return text
    }

    func optionalText(_ key: String) throws(RequestError) -> String? {
        guard let value = self[key], !value.isNull else { return nil }
        guard let text = value.string else { throw RequestError(.invalidRequest, "\"\(key)\" is no text") }
        return text
    }

    /// One text or several; `nil` where there is none.
    func texts(_ key: String) throws(RequestError) -> Set<Identifier>? {
        guard let value = self[key], !value.isNull else { return nil }
        let values = value.array ?? [value]
        let texts = values.compactMap(\.string)
        guard texts.count == values.count else {
            throw RequestError(.invalidRequest, "\"\(key)\" is neither text nor a list of texts")
        }
        return Set(texts.map { Identifier($0) })
    }

    func integer(_ key: String, in range: ClosedRange<Int>) throws(RequestError) -> Int? {
        guard let value = self[key], !value.isNull else { return nil }
        guard let number = value.number.flatMap({ Int(exactly: $0) }), range.contains(number) else {
            throw RequestError(
                .invalidRequest,
                "\"\(key)\" is no whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }
}
