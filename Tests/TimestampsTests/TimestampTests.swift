import Foundation
import Testing
import Timestamps

struct TimestampTests {
    @Test(
        "ISO 8601 is read in every usual spelling",
        arguments: [
            "2026-11-29T12:00:00.250Z", "2026-11-29t12:00:00.25z", "2026-11-29 12:00:00,250Z",
            "2026-11-29T14:00:00.2500000+02:00",
            "2026-11-29T14:00:00.250999+0200", "2026-11-29T14:00:00.250+02", "2026-11-29T12:00:00.250",
            "20261129T120000.250Z",
            "2026-11-29T06:30:00.250000123-05:30", "2026-11-29T12:00:00.250-00:00",
        ])
    func spellings(text: String) {
        #expect(Timestamp(iso8601: text)?.milliseconds == 1_795_953_600_250)
    }

    @Test(
        "Seconds are optional, and the clock's edges count on",
        arguments: [
            ("2026-11-29T12:00Z", "2026-11-29T12:00:00.000Z"), ("2026-12-31T24:00:00Z", "2027-01-01T00:00:00.000Z"),
            ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00.000Z"), ("2028-02-29T00:00:00Z", "2028-02-29T00:00:00.000Z"),
            ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"),
            ("1969-12-31T23:59:59.999Z", "1969-12-31T23:59:59.999Z"),
        ])
    func edges(text: String, printed: String) {
        #expect(Timestamp(iso8601: text)?.iso8601 == printed)
    }

    @Test(
        "What is no date is refused",
        arguments: [
            "", "2026", "2026-11-29", "2026-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-11-31T00:00:00Z",
            "2026-11-29T25:00:00Z",
            "2026-11-29T12:60:00Z", "2026-11-29T12:00:61Z", "2026-11-29T12:00:00.Z", "2026-11-29T12:00:00ZZ",
            "2026-11-29T12:00:00+2",
            "2026-11-29T12:00:00+24:00", "10/6/2022 10:16:37 AM", "YYYY-MM-DDTHH:mm:ss.ffZ", "2026-11-29T12:00:00+02:",
            "2026-1129T120000Z",
            "0000-01-01T00:00:00Z", "2026-11-29T24:00:01Z",
        ])
    func impossible(text: String) {
        #expect(Timestamp(iso8601: text) == nil)
    }

    @Test("Every day of four centuries prints as Foundation prints it")
    func calendar() {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        for day in stride(from: -60_000, through: 90_000, by: 13) {
            let timestamp = Timestamp(milliseconds: Int64(day) * 86_400_000 + 1)
            let parts = calendar.dateComponents(
                [.year, .month, .day], from: Date(timeIntervalSince1970: Double(day) * 86_400))
            let expected = String(
                format: "%04d-%02d-%02dT00:00:00.001Z", parts.year ?? 0, parts.month ?? 0, parts.day ?? 0)
            #expect(timestamp.iso8601 == expected)
            #expect(Timestamp(iso8601: expected) == timestamp)
        }
    }

    @Test(
        "Unix times are told apart by magnitude",
        arguments: [
            (1_795_953_600.25, 1_795_953_600_250_000 as Int64?), (1_795_953_600_250, 1_795_953_600_250_000),
            (1_795_953_600_250_001, 1_795_953_600_250_001), (0, 0), (-1, nil), (1e17, nil), (.infinity, nil),
            (.nan, nil),
        ] as [(Double, Int64?)])
    func unix(number: Double, microseconds: Int64?) {
        #expect(Timestamp(unix: number)?.microseconds == microseconds)
    }
}
