import MQTTModel
import Timestamps

/// A GPS receiver's sentences RMC and GGA (NMEA 0183), both in one message.
///
/// Degrees and minutes stand glued together, speed is knots, the date apart from the time. Without a fix the status is `V`, the
/// quality 0, and what is not known is empty.
struct NMEAFormat: DeviceFormat {
    let device: DeviceIdentity

    func telemetry(_ reading: Reading, sequence: Int, at time: Timestamp) -> [Message] {
        let iso = time.iso8601.utf8.filter { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        let digits = String(decoding: iso, as: UTF8.self)  // YYYYMMDDHHMMSSmmm
        func part(_ from: Int, _ count: Int) -> Substring { digits.dropFirst(from).prefix(count) }
        let clock = "\(part(8, 6)).\(part(14, 2))"
        let date = "\(part(6, 2))\(part(4, 2))\(part(2, 2))"
        let place: String
        if let position = reading.motion.position {
            place =
                Self.angle(position.latitude, degrees: 2, "N", "S") + ","
                + Self.angle(position.longitude, degrees: 3, "E", "W")
        } else {
            place = ",,,"
        }
        let hasFix = reading.motion.position != nil
        let knots = hasFix ? Self.decimal(reading.motion.speed * 3_600 / 1_852, 3) : ""
        let course = reading.motion.heading.map { Self.decimal($0 >= 359.95 ? 0 : $0, 1) } ?? ""
        let sentences = [
            "GPRMC,\(clock),\(hasFix ? "A" : "V"),\(place),\(knots),\(hasFix ? course : ""),\(date),,,\(hasFix ? "A" : "N")",
            "GPGGA,\(clock),\(place),\(hasFix ? "1,09,0.9,1.0,M,0.0,M" : "0,00,,,M,,M"),,",
        ]
        return [
            Message(
                "\(device.source)/\(device.id)/nmea", sentences.map(Self.sentence).joined(), qos: .atMostOnce)
        ]
    }

    /// `5703.49501,N`: degrees, then minutes with five decimals, which are two centimetres.
    private static func angle(_ value: Double, degrees width: Int, _ positive: String, _ negative: String) -> String {
        let hundredThousandths = Int((value.magnitude * 60 * 100_000).rounded())
        let (minutes, fraction) = hundredThousandths.quotientAndRemainder(dividingBy: 100_000)
        let (degrees, minute) = minutes.quotientAndRemainder(dividingBy: 60)
        return padded(degrees, width) + padded(minute, 2) + "." + padded(fraction, 5) + ","
            + (value < 0 ? negative : positive)
    }

    private static func decimal(_ value: Double, _ decimals: Int) -> String {
        let scale = decimals == 1 ? 10 : 1_000
        let (whole, fraction) = Int((value * Double(scale)).rounded()).quotientAndRemainder(dividingBy: scale)
        return "\(whole).\(padded(fraction, decimals))"
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    /// With its checksum, all bytes combined by exclusive or, and its end.
    private static func sentence(_ body: String) -> String {
        let sum = String(body.utf8.reduce(0, ^), radix: 16, uppercase: true)
        return "$\(body)*\(sum.utf8.count == 1 ? "0" : "")\(sum)\r\n"
    }
}
