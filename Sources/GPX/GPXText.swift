import Timestamps

/// GPX 1.1 as it is written here: a line for each point and for each tag round it, so that a file that was cut can be
/// understood line by line.
enum GPXText {
    /// The same in every file.
    static let opening =
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<gpx xmlns=\"http://www.topografix.com/GPX/1/1\""
        + " xmlns:gpxtpx=\"http://www.garmin.com/xmlschemas/TrackPointExtension/v2\" xmlns:fleet=\"urn:fleet-bridge:gpx\""
        + " version=\"1.1\" creator=\""
    static let trackStart = "<trk>\n"
    static let segmentStart = "<trkseg>\n"
    static let segmentEnd = "</trkseg>\n"
    static let trackEnd = "</trk>\n"
    static let fileEnd = "</gpx>\n"

    /// Characters; of a longer name the rest is left out.
    private static let longestName = 1_000

    static func header(creator: String, name: String) -> String {
        opening + escaped(String(creator.prefix(longestName))) + "\">\n" + trackStart
            + "<name>\(escaped(String(name.prefix(longestName))))</name>\n"
    }

    /// One line.
    static func point(_ point: TrackPoint) -> String {
        var line =
            "<trkpt lat=\"\(DecimalNumber.text(point.position.latitude))\" lon=\"\(DecimalNumber.text(point.position.longitude))\">"
        func add(_ name: StaticString, _ value: Double?) {
            if let value, value.isFinite { line += "<\(name)>\(DecimalNumber.text(value))</\(name)>" }
        }
        add("ele", point.elevation)
        if let time = point.time { line += "<time>\(text(time))</time>" }
        if point.speed != nil || point.course != nil || point.accuracy != nil {
            line += "<extensions>"
            if point.speed != nil || point.course != nil {
                line += "<gpxtpx:TrackPointExtension>"
                add("gpxtpx:speed", point.speed)
                add("gpxtpx:course", point.course)
                line += "</gpxtpx:TrackPointExtension>"
            }
            add("fleet:accuracy", point.accuracy)
            line += "</extensions>"
        }
        return line + "</trkpt>\n"
    }

    /// UTC, with as many digits as the time has.
    private static func text(_ time: Timestamp) -> String {
        let text = time.iso8601
        let rest = Int(time.microseconds - time.milliseconds * 1_000)
        if rest != 0 { return text.dropLast() + String(rest + 1_000).dropFirst() + "Z" }
        return text.hasSuffix(".000Z") ? text.dropLast(5) + "Z" : text
    }

    /// For an element or an attribute. What XML 1.0 cannot say at all is left out.
    static func escaped(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x26: result += "&amp;".unicodeScalars
            case 0x3c: result += "&lt;".unicodeScalars
            case 0x3e: result += "&gt;".unicodeScalars
            case 0x22: result += "&quot;".unicodeScalars
            case 0x09, 0x0a, 0x0d, 0x7f...0x9f, 0x2028, 0x2029: result += "&#\(scalar.value);".unicodeScalars
            case 0..<0x20, 0xfffe, 0xffff: break
            default: result.append(scalar)
            }
        }
        return String(result)
    }
}
