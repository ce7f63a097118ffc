/// Why bytes are not the JSON that is accepted here, and where.
public struct JSONError: Error, Hashable {
    /// Raw values are published and counted by, so they never change.
    public enum Reason: String, Sendable {
        case invalidUTF8 = "invalid-utf8"
        case invalidJSON = "invalid-json"
        case tooDeep = "too-deep"
        case duplicateKey = "duplicate-key"
    }

    public var reason: Reason
    /// The member or element, as a JSON Pointer (RFC 6901), where the structure is known; else empty.
    public var pointer: String
    /// What is wrong and at which byte, for people.
    public var detail: String
    /// That byte, from 0, behind a byte order mark; `nil` where the structure says where.
    public var offset: Int?
}
