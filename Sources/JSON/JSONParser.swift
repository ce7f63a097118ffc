internal import CJSONC
internal import Glibc

/// Parses strict JSON: RFC 8259 to the letter, UTF-8 validated, one leading byte order mark dropped.
///
/// json-c parses; ``LexicalScan`` refuses what its strict mode lets pass. Not `Sendable`: it reuses one tokener, so it
/// belongs to one thread.
public final class JSONParser {
    /// Objects and arrays inside each other, the outermost counted.
    public static let maximumDepth = 32

    private let tokener: UnsafeMutablePointer<json_tokener>

    public init() {
        // json-c counts what stands inside the innermost brackets as a level too; the scan has the exact limit.
        guard let tokener = json_tokener_new_ex(Int32(Self.maximumDepth + 1)) else {
            preconditionFailure("out of memory")
        }
        json_tokener_set_flags(tokener, JSON_TOKENER_STRICT)
        self.tokener = tokener
    }

    deinit {
        json_tokener_free(tokener)
    }

    /// - Parameter largeNumbersAreText: Whether a number that 64 bits do not hold, such as 1e999, is read as its text; else it
    ///   is a fault.
    public func parse(_ bytes: [UInt8], largeNumbersAreText: Bool = false) throws(JSONError) -> JSONValue {
        let result = bytes.withUnsafeBufferPointer { buffer in
            Result { () throws(JSONError) in try parse(buffer, largeNumbersAreText) }
        }
        return try result.get()
    }

    public func parse(_ text: String) throws(JSONError) -> JSONValue {
        try parse(Array(text.utf8))
    }

    private func parse(_ buffer: UnsafeBufferPointer<UInt8>, _ largeNumbersAreText: Bool) throws(JSONError) -> JSONValue
    {
        let hasMark = buffer.count >= 3 && buffer[0] == 0xEF && buffer[1] == 0xBB && buffer[2] == 0xBF
        let text = hasMark ? UnsafeBufferPointer(rebasing: buffer[3...]) : buffer
        let scan = try LexicalScan(text)
        if let first = scan.largeNumbers.first {
            guard largeNumbersAreText else {
                throw JSONError(
                    reason: .invalidJSON, pointer: "",
                    detail: "a number that 64 bits do not hold at byte \(first.lowerBound)",
                    offset: first.lowerBound)
            }
            return try parse(Self.quoting(scan.largeNumbers, in: text))
        }
        guard let start = text.baseAddress, text.count < Int(Int32.max) else {
            throw JSONError(reason: .invalidJSON, pointer: "", detail: "an empty text")
        }
        json_tokener_reset(tokener)
        var root = start.withMemoryRebound(to: CChar.self, capacity: text.count) {
            json_tokener_parse_ex(tokener, $0, Int32(text.count))
        }
        var end: Int?
        if json_tokener_get_error(tokener) == json_tokener_continue {
            end = text.count
            // A number ends only at what follows it: tell json-c that nothing does.
            root = json_tokener_parse_ex(tokener, "", 1)
        }
        defer { json_object_put(root) }
        let status = json_tokener_get_error(tokener)
        guard status == json_tokener_success else {
            throw Self.error(status, at: end ?? json_tokener_get_parse_end(tokener))
        }
        var members = 0
        let value = try Self.value(of: root, &members)
        if members != scan.memberCount { throw Self.duplicate(in: text) }
        return value
    }

    /// Makes texts of numbers.
    private static func quoting(_ numbers: [Range<Int>], in text: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(text.count + 2 * numbers.count)
        var copied = 0
        for number in numbers {
            result += text[copied..<number.lowerBound]
            result.append(UInt8(ascii: "\""))
            result += text[number]
            result.append(UInt8(ascii: "\""))
            copied = number.upperBound
        }
        result += text[copied...]
        return result
    }

    private static func error(_ status: json_tokener_error, at offset: Int) -> JSONError {
        switch status {
        case json_tokener_continue:
            JSONError(
                reason: .invalidJSON, pointer: "", detail: "the text ends too early, at byte \(offset)", offset: offset)
        default:
            JSONError(
                reason: .invalidJSON, pointer: "",
                detail: "\(String(cString: json_tokener_error_desc(status))) at byte \(offset)", offset: offset)
        }
    }

    /// Copies json-c's tree. Its depth is bounded by the tokener's limit.
    private static func value(of object: OpaquePointer?, _ members: inout Int) throws(JSONError) -> JSONValue {
        switch json_object_get_type(object) {
        case json_type_null: return .null
        case json_type_boolean: return .bool(json_object_get_boolean(object) != 0)
        case json_type_double:
            let number = json_object_get_double(object)
            guard number.isFinite else {  // the scan has seen to it
                throw JSONError(reason: .invalidJSON, pointer: "", detail: "a number that no double holds")
            }
            return .number(number)
        case json_type_int: return integer(object)
        case json_type_string: return .string(string(object))
        case json_type_array:
            let count = json_object_array_length(object)
            var elements: [JSONValue] = []
            elements.reserveCapacity(count)
            for index in 0..<count {
                do {
                    elements.append(try value(of: json_object_array_get_idx(object, index), &members))
                } catch {
                    throw error.inside("\(index)")
                }
            }
            return .array(elements)
        default:
            var result = JSONObject()
            result.reserveCapacity(Int(json_object_object_length(object)))
            var entry = json_object_get_object(object)?.pointee.head
            while let current = entry {
                let start = current.pointee.k.assumingMemoryBound(to: CChar.self)
                let key = text(start, strlen(start))
                do {
                    result.append(key, try value(of: OpaquePointer(current.pointee.v), &members))
                } catch {
                    throw error.inside(key)
                }
                members += 1
                entry = current.pointee.next
            }
            return .object(result)
        }
    }

    private static func integer(_ object: OpaquePointer?) -> JSONValue {
        let signed = json_object_get_int64(object)
        if signed.magnitude <= 1 << 53 { return .number(Double(signed)) }
        // Saturated exactly where the number is a larger unsigned one.
        return .bigInteger(signed == .max ? String(json_object_get_uint64(object)) : String(signed))
    }

    private static func string(_ object: OpaquePointer?) -> String {
        let count = Int(json_object_get_string_len(object))
        guard count > 0, let start = json_object_get_string(object) else { return "" }
        return text(start, count)
    }

    /// Copies a text straight into a string, which is quicker for short ones than having it decoded.
    private static func text(_ start: UnsafePointer<CChar>, _ count: Int) -> String {
        String(unsafeUninitializedCapacity: count) { memory in
            UnsafeMutableRawBufferPointer(memory).copyMemory(from: UnsafeRawBufferPointer(start: start, count: count))
            return count
        }
    }

    /// Finds which key stands twice. json-c's tree has lost it, so only its absence of a place is certain: the slow way,
    /// taken once per rejected message.
    private static func duplicate(in text: UnsafeBufferPointer<UInt8>) -> JSONError {
        var finder = DuplicateKeyFinder(text)
        let pointer = finder.find() ?? ""
        return JSONError(reason: .duplicateKey, pointer: pointer, detail: "a key stands twice in one object")
    }
}

extension JSONError {
    /// The same error seen from one level further out.
    fileprivate func inside(_ token: String) -> JSONError {
        var error = self
        error.pointer = "/" + JSONPointer.escape(token) + pointer
        return error
    }
}
