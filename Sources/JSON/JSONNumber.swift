/// Numbers as text, the way ECMAScript's `Number::toString` prints them: the shortest digits that read back the same.
public enum JSONNumber {
    /// `1`, `0.25`, `1e+21`, `1e-7`; `-0` is `0`. NaN and infinities have no JSON text; they give `null`.
    public static func text(of number: Double) -> String {
        var bytes: [UInt8] = []
        append(number, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends the text of ``text(of:)``.
    public static func append(_ number: Double, to bytes: inout [UInt8]) {
        guard number.isFinite else {
            bytes.append(contentsOf: "null".utf8)
            return
        }
        if let whole = Int64(exactly: number), whole.magnitude <= 1 << 53 {
            append(whole, to: &bytes)
        } else if !appendShortDecimal(number, to: &bytes) {
            appendShortest(number, to: &bytes)
        }
    }

    public static func append(_ number: Int64, to bytes: inout [UInt8]) {
        if number < 0 { bytes.append(UInt8(ascii: "-")) }
        append(digits: number.magnitude, atLeast: 1, to: &bytes)
    }

    /// The digits of a number, padded with leading zeros.
    static func append(digits number: UInt64, atLeast minimum: Int, to bytes: inout [UInt8]) {
        var rest = number
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { scratch in
            var start = 20
            while rest > 0 || 20 - start < minimum {
                start -= 1
                scratch[start] = UInt8(ascii: "0") + UInt8(rest % 10)
                rest /= 10
            }
            bytes.append(contentsOf: scratch[start..<20])
        }
    }

    /// Coordinates, charges and the like: `k / 10^n` with few digits. Where that division gives the number back, its
    /// digits are the shortest, for at most 15 digits no two decimals share a double.
    private static func appendShortDecimal(_ number: Double, to bytes: inout [UInt8]) -> Bool {
        let magnitude = number.magnitude
        guard magnitude >= 1e-6, magnitude < 1e6 else { return false }
        var scale = 1e9
        let scaled = (magnitude * scale).rounded()
        guard scaled < 1e15, scaled / scale == magnitude else { return false }
        var value = UInt64(scaled)
        var decimals = 9
        while value % 10 == 0, decimals > 0 {
            value /= 10
            decimals -= 1
            scale /= 10
        }
        if number < 0 { bytes.append(UInt8(ascii: "-")) }
        let divisor = UInt64(scale.rounded())
        append(digits: value / divisor, atLeast: 1, to: &bytes)
        bytes.append(UInt8(ascii: "."))
        append(digits: value % divisor, atLeast: decimals, to: &bytes)
        return true
    }

    private static func appendShortest(_ number: Double, to bytes: inout [UInt8]) {
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

        if number < 0 { bytes.append(UInt8(ascii: "-")) }
        switch position {
        case digits.count...21 where digits.count <= 21:
            bytes.append(contentsOf: digits)
            bytes.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: position - digits.count))
        case 1..<22:
            bytes.append(contentsOf: digits[..<position])
            bytes.append(UInt8(ascii: "."))
            bytes.append(contentsOf: digits[position...])
        case -5...0:
            bytes.append(contentsOf: "0.".utf8)
            bytes.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: -position))
            bytes.append(contentsOf: digits)
        default:
            bytes.append(digits[0])
            if digits.count > 1 {
                bytes.append(UInt8(ascii: "."))
                bytes.append(contentsOf: digits[1...])
            }
            bytes.append(contentsOf: position > 0 ? "e+".utf8 : "e-".utf8)
            append(Int64((position - 1).magnitude), to: &bytes)
        }
    }
}
