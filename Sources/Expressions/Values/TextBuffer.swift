internal import JSON

/// Collects a text piece by piece.
struct TextBuffer {
    /// Bytes: a label never needs as many, while texts of texts could take all memory.
    static let limit = 1 << 20

    private var bytes: [UInt8] = []

    static let fault = EvaluationError.Reason.other("The text is longer than \(limit) bytes.")

    var isTooLong: Bool { bytes.count > Self.limit }

    init() { bytes.reserveCapacity(64) }

    var text: String { String(decoding: bytes, as: UTF8.self) }

    mutating func append(_ text: String) {
        guard bytes.count <= Self.limit else { return }
        var text = text
        text.withUTF8 { bytes.append(contentsOf: $0) }
    }

    mutating func append(_ number: Double) {
        if number.isFinite { JSONNumber.append(number, to: &bytes) } else { append(NumberText.text(of: number)) }
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
