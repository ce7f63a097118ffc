/// A JSON object that keeps the order of its members, so that what is written reads as it was built.
///
/// Members stand in an array: objects on the wire have a handful of them, where a scan beats hashing.
public struct JSONObject: Sendable {
    /// A type of its own, since the runtime handles arrays of tuples much more slowly.
    public struct Member: Sendable {
        public let key: String
        public fileprivate(set) var value: JSONValue
    }

    public private(set) var members: [Member]

    public init() { members = [] }

    /// - Parameter members: With distinct keys; of equal ones the first is found.
    public init(_ members: [(String, JSONValue)]) {
        self.members = members.map { Member(key: $0, value: $1) }
    }

    public var isEmpty: Bool { members.isEmpty }
    public var count: Int { members.count }

    /// Reads, replaces in place, appends, or (with `nil`) removes a member. Keys compare by bytes.
    public subscript(key: String) -> JSONValue? {
        get {
            // By index: a loop over the members would count references to each key and value.
            for index in members.indices where members[index].key.hasSameBytes(as: key) { return members[index].value }
            return nil
        }
        set {
            if let index = members.firstIndex(where: { $0.key.hasSameBytes(as: key) }) {
                if let newValue {
                    members[index].value = newValue
                } else {
                    members.remove(at: index)
                }
            } else if let newValue {
                members.append(Member(key: key, value: newValue))
            }
        }
    }

    /// Adds a member whose key is known to be new, without looking for it.
    public mutating func append(_ key: String, _ value: JSONValue) {
        members.append(Member(key: key, value: value))
    }

    /// Whether both share their memory, and so are equal: found out without looking at the members.
    public func hasSameStorage(as other: JSONObject) -> Bool {
        members.withUnsafeBufferPointer { a in
            other.members.withUnsafeBufferPointer { b in a.baseAddress == b.baseAddress && a.count == b.count }
        }
    }

    mutating func reserveCapacity(_ count: Int) {
        members.reserveCapacity(count)
    }
}

extension JSONObject: Hashable {
    /// Equal when they have the same members, in whatever order.
    public static func == (a: JSONObject, b: JSONObject) -> Bool {
        guard a.count == b.count else { return false }
        // Nearly always in the same order, where one pass is enough.
        let start = zip(a.members, b.members).prefix { $0.key.hasSameBytes(as: $1.key) && $0.value == $1.value }.count
        if start == a.count { return true }
        // Looking for each member costs the square of their number, which a sender chooses.
        guard a.count - start > 16 else { return a.members[start...].allSatisfy { b[$0.key] == $0.value } }
        let known = Dictionary(b.members[start...].map { (JSONValue.string($0.key), $0.value) }) { first, _ in first }
        return a.members[start...].allSatisfy { known[.string($0.key)] == $0.value }
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(members.count)  // the order does not count, so the members cannot be fed in order
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral elements: (String, JSONValue)...) { self.init(elements) }
}
