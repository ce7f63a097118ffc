internal import JSON

/// Collects a text piece by piece: a short one, as labels are, without memory from the heap.
struct TextBuffer {
    /// Bytes: a label never needs as many, while texts of texts could take all memory.
    static let limit = 1 << 20
    static let fault = EvaluationError.Reason.other("The text is longer than \(limit) bytes.")

    private static let shortCapacity = 120
    private var short = InlineArray<120, UInt8>(repeating: 0)
    private var shortCount = 0
    /// The whole text, once it is longer than ``short`` can hold.
    private var long: [UInt8] = []

    var isTooLong: Bool { long.count > Self.limit }

    var text: String {
        if !long.isEmpty { return String(decoding: long, as: UTF8.self) }
        return short.span.extracting(first: shortCount).withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    }

    mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { append($0) }
    }

    private mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        if long.isEmpty, shortCount + bytes.count <= Self.shortCapacity {
            withUnsafeMutableBytes(of: &short) { short in
                UnsafeMutableRawBufferPointer(rebasing: short[shortCount...]).copyMemory(
                    from: UnsafeRawBufferPointer(bytes))
            }
            shortCount += bytes.count
            return
        }
        if long.isEmpty {
            short.span.extracting(first: shortCount).withUnsafeBufferPointer { long.append(contentsOf: $0) }
        }
        if !isTooLong { long.append(contentsOf: bytes) }
    }

    mutating func append(_ number: Double) {
        if long.isEmpty, number >= 0, number < 10_000, let whole = Int(exactly: number) {
            append(small: whole)
        } else {
            append(NumberText.text(of: number))
        }
    }

    private mutating func append(small number: Int) {
        guard shortCount + 4 <= Self.shortCapacity else { return append(NumberText.text(of: Double(number))) }
        var divisor = number >= 1_000 ? 1_000 : number >= 100 ? 100 : number >= 10 ? 10 : 1
        while divisor > 0 {
            short[shortCount] = UInt8(ascii: "0") + UInt8(number / divisor % 10)
            shortCount += 1
            divisor /= 10
        }
    }

    mutating func append(_ value: Value) {
        switch value {
        case .string(let text): append(text)
        case .number(let number): append(number)
        case .null: break
        default: append(value.text)
        }
    }
}
