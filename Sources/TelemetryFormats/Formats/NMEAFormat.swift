internal import JSON
internal import Locations
internal import MQTTModel
internal import Timestamps

/// NMEA 0183 sentences RMC and GGA of any talker, one or several a message: GPS receivers.
///
/// Degrees and minutes stand glued together, speed is knots, course degrees clockwise from true north. RMC has a date; GGA has
/// none and borrows that of the device's last RMC.
struct NMEAFormat: TelemetryFormat {
    private static let metresPerSecondAndKnot = 1_852.0 / 3_600
    private static let sentencesAtMost = 256

    private let settings: SourceSettings
    /// The time of each device's last RMC.
    private var clocks: [Identifier: Timestamp] = [:]

    init(settings: SourceSettings) { self.settings = settings }

    mutating func decode(_ message: IncomingMessage) throws(Rejection) -> Decoded {
        let device = message.names["device"]
        let id = try DeviceID.choose(topic: device, payload: nil, settings: settings)
        if message.payload.isEmpty { return .empty(withdrawing: device == nil ? nil : id) }
        let text = try PayloadReader.text(message.payload)
        let lines = text.unicodeScalars.split { $0 == "\r" || $0 == "\n" }.map(String.init)
        guard !lines.isEmpty, lines.count <= Self.sentencesAtMost else {
            throw Rejection(.badSentence, "\(lines.count) sentences")
        }
        var reports: [Result<Report, Rejection>] = []
        for line in lines {
            do throws(Rejection) {
                if let report = try sentence(line, id) { reports.append(.success(report)) }
            } catch {
                reports.append(.failure(error))
            }
        }
        return reports.isEmpty ? .ignored(reason: "other-sentence", id: id) : .reports(reports)
    }

    /// - Returns: `nil` for sentences that say nothing for us.
    private mutating func sentence(_ line: String, _ id: Identifier) throws(Rejection) -> Report? {
        let fields = try Self.fields(of: line)
        let type = fields[0].text.suffix(3)
        switch type {
        case "RMC": return try rmc(fields, id)
        case "GGA": return try gga(fields, id)
        default: return nil
        }
    }

    private struct Field {
        let text: String
        var number: Double? { DecimalText.number(text) }
    }

    /// Cuts a sentence and proves its checksum: two hexadecimal digits after `*`, all bytes before combined by exclusive or.
    private static func fields(of line: String) throws(Rejection) -> [Field] {
        guard let start = line.utf8.first, start == UInt8(ascii: "$") || start == UInt8(ascii: "!") else {
            throw Rejection(.badSentence, "a sentence begins with $")
        }
        let parts = line.dropFirst().split(separator: "*", maxSplits: 1, omittingEmptySubsequences: false)
        let body = parts[0]
        let isRMC = body.prefix { $0 != "," }.hasSuffix("RMC")
        if parts.count == 2 {
            let digits = parts[1].filter { $0 != " " }
            guard digits.utf8.count == 2, let sum = UInt8(digits, radix: 16),
                sum == body.utf8.reduce(0, ^)
            else { throw Rejection(.badChecksum, "the checksum does not fit the sentence") }
        } else if isRMC {
            throw Rejection(.badChecksum, "RMC without its checksum, which it must have")
        }
        return body.split(separator: ",", omittingEmptySubsequences: false).map { Field(text: String($0)) }
    }

    private mutating func rmc(_ fields: [Field], _ id: Identifier) throws(Rejection) -> Report {
        guard fields.count >= 10 else { throw Rejection(.badSentence, "RMC with \(fields.count) fields") }
        guard fields[2].text == "A", fields.count <= 12 || fields[12].text != "N" else {
            throw Rejection(.noFix, "the receiver has no fix")
        }
        var report = Report(id: id)
        report.position = try position(fields, from: 3)
        var reader = FieldReader(nullMeans: .absent)
        report.speed = reader.number(Self.value(fields[7]), "speed", in: 0...1e9).map {
            $0 * Self.metresPerSecondAndKnot
        }
        report.heading = reader.heading(Self.value(fields[8]))
        if let time = Self.time(of: fields[1].text), let day = Self.day(fields[9].text) {
            let moment = day.advanced(by: time)
            report.time = moment
            if clocks[id] != nil || clocks.count < settings.maxLocations { clocks[id] = moment }
        } else if !fields[1].text.isEmpty || !fields[9].text.isEmpty {
            reader.fault("ts-unreadable")
        }
        report.faults = reader.faults
        return report
    }

    private func gga(_ fields: [Field], _ id: Identifier) throws(Rejection) -> Report {
        guard fields.count >= 10 else { throw Rejection(.badSentence, "GGA with \(fields.count) fields") }
        guard let quality = fields[6].number, quality >= 1 else {
            throw Rejection(.noFix, "the receiver has no fix")
        }
        var report = Report(id: id)
        report.position = try position(fields, from: 2)
        var reader = FieldReader(nullMeans: .absent)
        report.altitude = reader.number(Self.value(fields[9]), "altitude")
        report.properties.append("fixQuality", .number(quality))
        for (index, property) in [(7, "satellites"), (8, "hdop")] {
            if let number = fields[index].number { report.properties.append(property, .number(number)) }
        }
        if let time = Self.time(of: fields[1].text), let clock = clocks[id] {
            report.time = Self.moment(time, near: clock)
        }
        report.faults = reader.faults
        return report
    }

    /// An empty field is one that the receiver does not fill.
    private static func value(_ field: Field) -> JSONValue? { field.text.isEmpty ? nil : .string(field.text) }

    // MARK: Place

    private func position(_ fields: [Field], from index: Int) throws(Rejection) -> Reading<ReportedPosition> {
        let latitude = try Self.degrees(fields[index].text, fields[index + 1].text, ("N", "S"))
        let longitude = try Self.degrees(fields[index + 2].text, fields[index + 3].text, ("E", "W"))
        let position = try PositionReader.degrees(
            latitude: .number(latitude), longitude: .number(longitude), at: ("", ""),
            acceptNullIsland: settings.acceptNullIsland)
        guard position.value != nil else { throw Rejection(.noFix, "0,0 is no fix") }
        return position
    }

    /// `ddmm.mmmm` or `dddmm.mmmm`: the two digits before the point are minutes.
    private static func degrees(
        _ text: String, _ hemisphere: String, _ letters: (String, String)
    ) throws(Rejection) -> Double {
        guard !text.isEmpty else { throw Rejection(.missingPosition, "an empty coordinate") }
        let whole = text.prefix { $0 != "." }
        guard whole.utf8.count >= 3, whole.utf8.count <= 5, let number = DecimalText.number(text), number >= 0 else {
            throw Rejection(.positionNotANumber, "a coordinate that is not ddmm.mmmm")
        }
        let degrees = (number / 100).rounded(.down)
        let minutes = number - degrees * 100
        guard minutes < 60 else { throw Rejection(.positionOutOfRange, "\(minutes) minutes") }
        switch hemisphere {
        case letters.0: return degrees + minutes / 60
        case letters.1: return 0 - (degrees + minutes / 60)
        default: throw Rejection(.positionNotANumber, "no hemisphere")
        }
    }

    // MARK: Time

    /// `hhmmss` with any fraction, since midnight.
    private static func time(of text: String) -> Duration? {
        let whole = text.prefix { $0 != "." }
        guard whole.utf8.count == 6, let number = DecimalText.number(text), number >= 0 else { return nil }
        let digits = Int(number)
        let (hours, minutes) = (digits / 10_000, digits / 100 % 100)
        let seconds = number - Double(digits / 100 * 100)
        guard hours < 24, minutes < 60, seconds < 61 else { return nil }
        return .seconds(hours * 3_600 + minutes * 60) + .microseconds(Int64((seconds * 1e6).rounded()))
    }

    /// `ddmmyy`, 80 … 99 being the last century's.
    private static func day(_ text: String) -> Timestamp? {
        guard text.utf8.count == 6, text.utf8.allSatisfy({ $0 &- UInt8(ascii: "0") <= 9 }), let number = Int(text)
        else { return nil }
        let year = number % 100 + (number % 100 < 80 ? 2_000 : 1_900)
        let month = text.dropFirst(2).prefix(2)
        return Timestamp(iso8601: "\(year)-\(month)-\(text.prefix(2))T00:00:00Z")
    }

    /// The moment with a time of day that is nearest to another one.
    private static func moment(_ time: Duration, near clock: Timestamp) -> Timestamp {
        let day: Int64 = 86_400_000_000
        let midnight = Timestamp(microseconds: clock.microseconds / day * day)
        let moment = midnight.advanced(by: time)
        let ahead = moment.duration(since: clock)
        if ahead > .seconds(43_200) { return moment.advanced(by: .seconds(-86_400)) }
        return ahead < .seconds(-43_200) ? moment.advanced(by: .seconds(86_400)) : moment
    }
}

extension Rejection.Reason {
    static let badSentence = Self(rawValue: "bad-sentence")
    static let badChecksum = Self(rawValue: "bad-checksum")
}
