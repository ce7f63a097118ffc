/// A date and time of day as written, before a zone makes a moment of it.
public struct LocalDateTime: Sendable, Hashable {
    /// As if it were UTC.
    public var asUTC: Timestamp
    /// Seconds east of Greenwich; `nil` where the text names no zone.
    public var offsetSeconds: Int?
}

extension LocalDateTime {
    /// Reads ISO 8601 in every usual spelling: `2026-11-29T12:00:00.250Z`, basic `20261129T120000Z`, `T`, `t` or a blank,
    /// seconds optional, any number of fraction digits after a point or comma (cut to microseconds), `Z`, `z`, `+02:00`,
    /// `+0200`, `+02` or no zone. 24:00:00 is the next midnight and second 60 the next minute's first.
    ///
    /// - Returns: `nil` for anything else, impossible dates included.
    public init?(iso8601 text: String) {
        var text = text
        let parsed = text.withUTF8 { utf8 in
            var reader = Reader(bytes: utf8)
            return reader.read()
        }
        guard let parsed else { return nil }
        self = parsed
    }

    private struct Reader {
        let bytes: UnsafeBufferPointer<UInt8>
        var position = 0

        init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

        mutating func read() -> LocalDateTime? {
            guard let year = number(digits: 4) else { return nil }
            let extended = take("-")
            guard let month = number(digits: 2), !extended || take("-"), let day = number(digits: 2),
                year >= 1, (1...12).contains(month), day >= 1, day <= CivilDate.daysIn(month: month, year: year),
                take("T") || take("t") || take(" ")
            else { return nil }
            guard let hour = number(digits: 2) else { return nil }
            let colon = take(":")
            guard let minute = number(digits: 2) else { return nil }
            var second = 0
            var microseconds = 0
            if colon ? take(":") : isDigit {
                guard let value = number(digits: 2) else { return nil }
                second = value
                if take(".") || take(",") {
                    guard let fraction = fraction() else { return nil }
                    microseconds = fraction
                }
            }
            let endOfDay = hour == 24 && minute == 0 && second == 0 && microseconds == 0
            guard hour <= 23 || endOfDay, minute <= 59, second <= 60 else { return nil }
            let offset = zone()
            guard position == bytes.count else { return nil }
            let days = CivilDate.daysSince1970(year: year, month: month, day: day)
            let seconds = ((days * 24 + hour) * 60 + minute) * 60 + second
            return LocalDateTime(
                asUTC: Timestamp(microseconds: Int64(seconds) * 1_000_000 + Int64(microseconds)), offsetSeconds: offset)
        }

        private var isDigit: Bool {
            position < bytes.count && bytes[position] &- UInt8(ascii: "0") <= 9
        }

        private mutating func take(_ character: Unicode.Scalar) -> Bool {
            guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
            position += 1
            return true
        }

        private mutating func number(digits: Int) -> Int? {
            var value = 0
            for _ in 0..<digits {
                guard isDigit else { return nil }
                value = value * 10 + Int(bytes[position] - UInt8(ascii: "0"))
                position += 1
            }
            return value
        }

        private mutating func fraction() -> Int? {
            guard isDigit else { return nil }
            var value = 0
            var digits = 0
            while isDigit {
                if digits < 6 {
                    value = value * 10 + Int(bytes[position] - UInt8(ascii: "0"))
                    digits += 1
                }
                position += 1
            }
            while digits < 6 {
                value *= 10
                digits += 1
            }
            return value
        }

        /// Leaves the position short of the end where what follows is no zone.
        private mutating func zone() -> Int? {
            if take("Z") || take("z") { return 0 }
            let start = position
            let sign = take("+") ? 1 : take("-") ? -1 : 0
            guard sign != 0 else { return nil }
            if let hours = number(digits: 2), hours <= 23 {
                let colon = take(":")
                if position == bytes.count, !colon { return sign * hours * 3_600 }
                if let minutes = number(digits: 2), minutes <= 59 { return sign * (hours * 60 + minutes) * 60 }
            }
            position = start
            return nil
        }
    }
}

extension Timestamp {
    /// Reads ISO 8601 (see ``LocalDateTime``); a text without a zone is UTC.
    public init?(iso8601 text: String) {
        guard let local = LocalDateTime(iso8601: text) else { return nil }
        self.init(microseconds: local.asUTC.microseconds - Int64(local.offsetSeconds ?? 0) * 1_000_000)
    }

    /// `2026-11-29T12:00:00.250Z`: UTC with milliseconds, the one form that is published.
    public var iso8601: String {
        String(unsafeUninitializedCapacity: Self.iso8601Length) { writeISO8601(to: $0) }
    }

    /// Bytes of ``iso8601``, which are always as many.
    public static let iso8601Length = 24

    /// Writes ``iso8601`` into memory that somebody else owns.
    ///
    /// - Parameter buffer: At least ``iso8601Length`` bytes.
    /// - Returns: How many were written.
    public func writeISO8601(to buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
        precondition(buffer.count >= Self.iso8601Length)
        let milliseconds = Int(milliseconds)
        let day = (milliseconds >= 0 ? milliseconds : milliseconds - 86_399_999) / 86_400_000
        let rest = milliseconds - day * 86_400_000
        let date = CivilDate.date(daysSince1970: day)
        var position = 0
        func write(_ pair: Int) {
            buffer[position] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: pair / 10 % 10)
            buffer[position + 1] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: pair % 10)
            position += 2
        }
        func write(_ pair: Int, then separator: Unicode.Scalar) {
            write(pair)
            buffer[position] = UInt8(ascii: separator)
            position += 1
        }
        let year = abs(date.year)
        write(year / 100)
        write(year % 100, then: "-")
        write(date.month, then: "-")
        write(date.day, then: "T")
        write(rest / 3_600_000, then: ":")
        write(rest / 60_000 % 60, then: ":")
        write(rest / 1_000 % 60, then: ".")
        write(rest % 1_000 / 10)
        buffer[position] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
        buffer[position + 1] = UInt8(ascii: "Z")
        return position + 2
    }
}
