internal import JSON
internal import Locations

/// Whose message it is.
enum DeviceID {
    /// The topic's level wins; a payload's id counts only where the filter names no device; then the source's setting
    /// (which is the source's own id where none is set).
    static func choose(topic: String?, payload: JSONValue?, settings: SourceSettings) throws(Rejection) -> Identifier {
        if let topic { return try check(topic) }
        switch payload {
        case nil, .null?: return Identifier(settings.device ?? "")
        case .string(let text)?: return try check(text, at: "/id")
        case .number(let number)?: return try check(JSONNumber.text(of: number), at: "/id")
        case .bigInteger(let digits)?: return Identifier(digits)
        default: throw Rejection(.badDeviceID, at: "/id", "an id is a text or a number")
        }
    }

    /// What a payload says where it names another device than its topic.
    static func contradiction(_ payload: JSONValue, to topic: String) -> String? {
        let said: String? =
            switch payload {
            case .string(let text): text
            case .number(let number): JSONNumber.text(of: number)
            case .bigInteger(let digits): digits
            default: nil
            }
        return said.flatMap { $0.hasSameBytes(as: topic) ? nil : $0 }
    }

    static func check(_ text: String, at pointer: String = "") throws(Rejection) -> Identifier {
        guard !text.isEmpty else { throw Rejection(.badDeviceID, at: pointer, "an empty id") }
        guard !text.utf8.contains(0) else { throw Rejection(.badDeviceID, at: pointer, "a NUL in an id") }
        guard text.utf8.count <= Identifier.maximumLength else {
            throw Rejection(.badDeviceID, at: pointer, "an id of more than \(Identifier.maximumLength) bytes")
        }
        return Identifier(text)
    }
}
