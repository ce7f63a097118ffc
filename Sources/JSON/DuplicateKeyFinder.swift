/// Finds the first key that stands twice in one object of a text that is known to be well-formed.
struct DuplicateKeyFinder {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    /// - Returns: The second occurrence as a JSON Pointer; `nil` when only escapes hide that two keys are equal.
    mutating func find() -> String? {
        var containers: [Container] = []
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "{"): containers.append(Container(isObject: true))
            case UInt8(ascii: "["): containers.append(Container(isObject: false))
            case UInt8(ascii: "}"), UInt8(ascii: "]"): _ = containers.popLast()
            case UInt8(ascii: ","):
                if let last = containers.indices.last { containers[last].next() }
            case UInt8(ascii: "\""):
                let text = string()
                guard let last = containers.indices.last, containers[last].expectsKey else { continue }
                if !containers[last].add(key: text) {
                    return containers.reduce("") { $0 + "/" + JSONPointer.escape($1.token) }
                }
                continue
            default: break
            }
            position += 1
        }
        return nil
    }

    private mutating func string() -> [UInt8] {
        let start = position + 1
        position = start
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
            position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        let end = min(position, bytes.count)
        position += 1
        return Array(bytes[start..<end])
    }

    private struct Container {
        let isObject: Bool
        private var keys: Set<[UInt8]> = []
        private(set) var expectsKey: Bool
        private var index = 0
        private var key: [UInt8] = []

        init(isObject: Bool) {
            self.isObject = isObject
            expectsKey = isObject
        }

        var token: String { isObject ? String(decoding: key, as: UTF8.self) : String(index) }

        mutating func next() {
            index += 1
            expectsKey = isObject
        }

        mutating func add(key: [UInt8]) -> Bool {
            self.key = key
            expectsKey = false
            return keys.insert(key).inserted
        }
    }
}
