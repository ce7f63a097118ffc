/// Numbers as text, the way ECMAScript's `Number::toString` prints them: the shortest digits that read back the same.
public enum JSONNumber {
    /// `1`, `0.25`, `1e+21`, `1e-7`; `-0` is `0`. NaN and infinities have no JSON text; they give `null`.
    public static func text(of number: Double) -> String {
        var buffer = ByteBuffer(capacity: 32)
        append(number, to: &buffer)
        return String(decoding: buffer.bytes, as: UTF8.self)
    }

    /// Integers from here on are JSON, but 64 bits do not hold them: readers refuse them or take another number.
    private static let integerLimit = 0x1p63

    /// Appends the text of ``text(of:)``.
    ///
    /// - Parameter forReaders: Writes with an exponent what would be an integer of more than 64 bits, as `1e+19`.
    static func append(_ number: Double, to buffer: inout ByteBuffer, forReaders: Bool = false) {
        guard number.isFinite else { return buffer.append("null") }
        if let whole = Int64(exactly: number), whole.magnitude <= 1 << 53 {
            append(whole, to: &buffer)
        } else if !appendShortDecimal(number, to: &buffer) {
            appendShortest(number, to: &buffer, plainDigits: forReaders && number.magnitude >= integerLimit ? 0 : 21)
        }
    }

    static func append(_ number: Int64, to buffer: inout ByteBuffer) {
        if number < 0 { buffer.append(UInt8(ascii: "-")) }
        append(digits: number.magnitude, to: &buffer)
    }

    private static func append(digits number: UInt64, to buffer: inout ByteBuffer) {
        var width = 1
        var limit: UInt64 = 10
        while width < 20, number >= limit {
            width += 1
            limit &*= 10
        }
        buffer.append(number, width: width)
    }

    /// Coordinates, charges and the like: `k / 10^9` with few digits. Where that division gives the number back, its
    /// digits are the shortest, for at most 15 digits no two decimals share a double.
    private static func appendShortDecimal(_ number: Double, to buffer: inout ByteBuffer) -> Bool {
        let magnitude = number.magnitude
        guard magnitude >= 1e-6, magnitude < 1e6 else { return false }
        let scaled = (magnitude * 1e9).rounded()
        guard scaled < 1e15, scaled / 1e9 == magnitude else { return false }
        let (whole, fraction) = UInt64(scaled).quotientAndRemainder(dividingBy: 1_000_000_000)
        if number < 0 { buffer.append(UInt8(ascii: "-")) }
        append(digits: whole, to: &buffer)
        buffer.append(UInt8(ascii: "."))
        buffer.append(fraction, width: 9)
        buffer.trim(UInt8(ascii: "0"))  // not beyond the point: a whole number is written elsewhere
        return true
    }

    /// - Parameter plainDigits: So many digits before the point are written without an exponent at most.
    private static func appendShortest(_ number: Double, to buffer: inout ByteBuffer, plainDigits: Int) {
        // Swift's description has the shortest digits, but turns to exponents elsewhere than ECMAScript.
        var digits: [UInt8] = []
        var exponent = 0
        var pointIndex: Int?
        var description = number.magnitude.description
        description.withUTF8 { text in
            for (index, byte) in text.enumerated() {
                if byte == UInt8(ascii: ".") {
                    pointIndex = digits.count
                } else if byte == UInt8(ascii: "e") {
                    exponent = Int(String(decoding: text[(index + 1)...], as: UTF8.self)) ?? 0
                    break
                } else {
                    digits.append(byte)
                }
            }
        }
        var position = (pointIndex ?? digits.count) + exponent
        let leading = digits.prefix { $0 == UInt8(ascii: "0") }.count
        digits.removeFirst(leading)
        position -= leading
        while digits.last == UInt8(ascii: "0") { digits.removeLast() }

        if number < 0 { buffer.append(UInt8(ascii: "-")) }
        func append(_ digits: some Sequence<UInt8>) {
            for digit in digits { buffer.append(digit) }
        }
        switch position {
        case digits.count... where position <= plainDigits:
            append(digits)
            append(repeatElement(UInt8(ascii: "0"), count: position - digits.count))
        case 1... where position <= plainDigits:
            append(digits[..<position])
            buffer.append(UInt8(ascii: "."))
            append(digits[position...])
        case -5...0:
            buffer.append("0.")
            append(repeatElement(UInt8(ascii: "0"), count: -position))
            append(digits)
        default:
            buffer.append(digits[0])
            if digits.count > 1 {
                buffer.append(UInt8(ascii: "."))
                append(digits[1...])
            }
            buffer.append(position > 0 ? "e+" : "e-")
            self.append(digits: UInt64((position - 1).magnitude), to: &buffer)
        }
    }
}
