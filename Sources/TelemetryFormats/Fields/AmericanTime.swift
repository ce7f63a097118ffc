internal import Timestamps

/// `10/6/2022 10:16:37 AM`: month first, UTC, as .NET writes it where nobody has chosen a format.
enum AmericanTime {
    static func read(_ text: String) -> Timestamp? {
        guard text.utf8.count <= 40 else { return nil }
        let words = text.split(separator: " ")
        guard words.count == 2 || words.count == 3 else { return nil }
        let date = words[0].split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        let clock = words[1].split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard date.count == 3, clock.count == 2 || clock.count == 3, date[2].utf8.count == 4,
            let month = padded(date[0]), let day = padded(date[1]), var hour = Int(clock[0]), (0...23).contains(hour)
        else { return nil }
        if words.count == 3 {
            guard (1...12).contains(hour) else { return nil }
            switch words[2].lowercased() {
            case "am": hour %= 12
            case "pm": hour = hour % 12 + 12
            default: return nil
            }
        }
        guard let hours = padded(String(hour)) else { return nil }
        let rest = clock.dropFirst().joined(separator: ":")
        return Timestamp(iso8601: "\(date[2])-\(month)-\(day)T\(hours):\(rest)Z")
    }

    private static func padded(_ digits: String) -> String? {
        switch digits.utf8.count {
        case 1: "0" + digits
        case 2: digits
        default: nil
        }
    }
}
