internal import JSON

/// What may be asked of the bridge on `P/request/{name}`.
enum RequestName: String, CaseIterable {
    case explain
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
        case unknownSource = "unknown-source"
        case unknownLocation = "unknown-location"
        case unknownProperty = "unknown-property"
        /// There is an answer, but the broker or `maxOutput` does not let it through.
        case responseTooLarge = "response-too-large"
    }

    var code: Code
    /// For people.
    var message: String

    init(_ code: Code, _ message: String) {
        (self.code, self.message) = (code, message)
    }
}

/// The frame around all requests: `{"transaction":T, …}` in, `{"transaction":T,"ok":true,"data":…}` or
/// `{…,"ok":false,"error":{"code","message"}}` out.
enum RequestDesk {
    private static let maximumPayload = 64 * 1024
    private static let maximumName = 256

    /// - Parameter limit: Bytes of the answer at most.
    static func answer(
        _ name: String, _ payload: [UInt8], _ parser: JSONParser, limit: Int,
        _ perform: (RequestName, JSONObject) throws(RequestError) -> JSONValue
    ) -> [UInt8] {
        var transaction: JSONValue?
        do throws(RequestError) {
            let request = try read(payload, parser)
            // Told even where the rest is wrong, so that whoever asked knows.
            switch request["transaction"] {
            case .string, .number, .bigInteger: transaction = request["transaction"]
            case nil: break
            default: throw RequestError(.invalidRequest, "\"transaction\" is neither text nor number")
            }
            guard let known = RequestName.allCases.first(where: { $0.rawValue.hasSameBytes(as: name) }) else {
                let names = RequestName.allCases.map(\.rawValue).joined(separator: ", ")
                throw RequestError(.unknownRequest, "there is no such request; known are \(names)")
            }
            let data = try perform(known, request)
            let answer = frame(transaction, [("ok", true), ("data", data)])
            guard answer.count <= limit else {
                throw RequestError(.responseTooLarge, "the answer has \(answer.count) bytes, more than \(limit)")
            }
            return answer
        } catch {
            let fault: JSONValue = ["code": .string(error.code.rawValue), "message": .string(error.message)]
            return frame(transaction, [("ok", false), ("error", fault)])
        }
    }

    /// A name for the answer's topic that cannot be too long.
    static func topic(of name: String) -> String { name.utf8.count <= maximumName ? name : "unknown" }

    private static func read(_ payload: [UInt8], _ parser: JSONParser) throws(RequestError) -> JSONObject {
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

    private static func frame(_ transaction: JSONValue?, _ members: [(String, JSONValue)]) -> [UInt8] {
        var object = JSONObject()
        if let transaction { object.append("transaction", transaction) }
        for (key, value) in members { object.append(key, value) }
        return Array(JSONValue.object(object).text.utf8)
    }
}

extension JSONObject {
    func text(_ key: String) throws(RequestError) -> String {
        guard let text = try optionalText(key) else { throw RequestError(.invalidRequest, "\"\(key)\" is missing") }
        return text
    }

    func optionalText(_ key: String) throws(RequestError) -> String? {
        guard let value = self[key], !value.isNull else { return nil }
        guard let text = value.string else { throw RequestError(.invalidRequest, "\"\(key)\" is no text") }
        return text
    }
}
