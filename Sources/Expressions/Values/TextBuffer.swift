internal import JSON

/// Collects a text piece by piece.
struct TextBuffer {
    private var bytes: [UInt8] = []

    init() { bytes.reserveCapacity(64) }

    var text: String { String(decoding: bytes, as: UTF8.self) }

    mutating func append(_ text: String) {
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
