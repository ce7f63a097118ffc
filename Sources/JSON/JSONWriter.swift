/// Appends JSON to a buffer. Commas are its part; that keys and values alternate is the caller's.
public struct JSONWriter: ~Copyable {
    private var buffer = ByteBuffer()
    private var needsComma = false

    public init() {}

    /// What is written so far, copied.
    public var bytes: [UInt8] { Array(buffer.bytes) }

    /// How many bytes are written so far.
    public var count: Int { buffer.count }

    /// Looks at what is written so far, in place. The pointer is valid within the call.
    public func withBytes<Result>(_ look: (UnsafeBufferPointer<UInt8>) -> Result) -> Result { look(buffer.bytes) }

    /// Empties the buffer and keeps its memory.
    public mutating func reset() {
        buffer.removeAll()
        needsComma = false
    }

    /// A place to come back to.
    public struct Mark: Sendable {
        public let count: Int
        fileprivate let needsComma: Bool
    }

    public var mark: Mark { Mark(count: buffer.count, needsComma: needsComma) }

    /// Forgets what was written since.
    public mutating func rewind(to mark: Mark) {
        buffer.truncate(to: mark.count)
        needsComma = mark.needsComma
    }

    public mutating func beginObject() { open(UInt8(ascii: "{")) }
    public mutating func endObject() { close(UInt8(ascii: "}")) }
    public mutating func beginArray() { open(UInt8(ascii: "[")) }
    public mutating func endArray() { close(UInt8(ascii: "]")) }

    public mutating func key(_ key: String) {
        string(key)
        buffer.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// A key that needs no escape, written without looking at it.
    public mutating func key(_ key: StaticString) {
        buffer.append(atMost: key.utf8CodeUnitCount + 4) { memory in
            var position = 0
            func write(_ byte: UInt8) {
                memory[position] = byte
                position += 1
            }
            if needsComma { write(UInt8(ascii: ",")) }
            write(UInt8(ascii: "\""))
            UnsafeMutableBufferPointer(rebasing: memory[position...]).baseAddress?.update(
                from: key.utf8Start, count: key.utf8CodeUnitCount)
            position += key.utf8CodeUnitCount
            write(UInt8(ascii: "\""))
            write(UInt8(ascii: ":"))
            return position
        }
        needsComma = false
    }

    public mutating func null() { raw("null") }
    public mutating func bool(_ value: Bool) { raw(value ? "true" : "false") }

    public mutating func number(_ value: Double) {
        comma()
        JSONNumber.append(value, to: &buffer, forReaders: true)
    }

    public mutating func integer(_ value: Int) {
        comma()
        JSONNumber.append(Int64(value), to: &buffer)
    }

    public mutating func string(_ text: String) {
        comma()
        buffer.append(UInt8(ascii: "\""))
        text.withBytes { utf8 in
            let plain = PlainText.end(in: utf8)
            buffer.append(UnsafeBufferPointer(rebasing: utf8[..<plain]))
            for byte in utf8[plain...] { escaped(byte) }
        }
        buffer.append(UInt8(ascii: "\""))
    }

    /// Bytes that are JSON already: a value, or members without the comma before them.
    /// An object that is begun already: its bracket and first members, of which there is at least one.
    public mutating func continueObject(_ begun: [UInt8]) {
        raw(begun)
    }

    public mutating func raw(_ json: [UInt8]) {
        comma()
        json.withUnsafeBufferPointer { buffer.append($0) }
    }

    /// A text that needs no escape, which somebody else writes straight into the buffer.
    ///
    /// - Parameters:
    ///   - size: Bytes at most.
    ///   - write: Gets so many bytes of memory and returns how many it has filled.
    public mutating func plainString(atMost size: Int, _ write: (UnsafeMutableBufferPointer<UInt8>) -> Int) {
        comma()
        buffer.append(UInt8(ascii: "\""))
        buffer.append(atMost: size, write)
        buffer.append(UInt8(ascii: "\""))
    }

    public mutating func value(_ value: JSONValue) {
        switch value {
        case .null: null()
        case .bool(let value): bool(value)
        case .number(let value): number(value)
        case .bigInteger(let digits):
            comma()
            digits.withBytes { buffer.append($0) }
        case .string(let text): string(text)
        case .array(let elements):
            beginArray()
            for element in elements { self.value(element) }
            endArray()
        case .object(let object): self.object(object)
        }
    }

    public mutating func object(_ object: JSONObject) {
        beginObject()
        for index in object.members.indices {
            key(object.members[index].key)
            value(object.members[index].value)
        }
        endObject()
    }

    private mutating func raw(_ text: StaticString) {
        comma()
        buffer.append(text)
    }

    private mutating func comma() {
        if needsComma { buffer.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    private mutating func open(_ bracket: UInt8) {
        comma()
        buffer.append(bracket)
        needsComma = false
    }

    private mutating func close(_ bracket: UInt8) {
        buffer.append(bracket)
        needsComma = true
    }

    private mutating func escaped(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): buffer.append(#"\""#)
        case UInt8(ascii: "\\"): buffer.append(#"\\"#)
        case 0x0A: buffer.append(#"\n"#)
        case 0x0D: buffer.append(#"\r"#)
        case 0x09: buffer.append(#"\t"#)
        case 0x00..<0x20, 0x7F:
            buffer.append(#"\u00"#)
            buffer.append(Self.hexadecimal(byte >> 4))
            buffer.append(Self.hexadecimal(byte & 15))
        default: buffer.append(byte)
        }
    }

    private static func hexadecimal(_ digit: UInt8) -> UInt8 {
        digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
    }
}

extension JSONValue {
    /// The value as compact JSON.
    public var text: String {
        var writer = JSONWriter()
        writer.value(self)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
