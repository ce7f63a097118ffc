internal import JSON
internal import Locations
internal import Timestamps

/// What a LoRaWAN payload formatter made of an uplink: its author chose the names.
///
/// Read are the usual spellings of a place, flat or one object down, its altitude in metres, its heading in degrees, an
/// accuracy in metres and a charge that calls itself a percentage. A speed or battery without a unit is not guessed.
struct DecodedUplink {
    private let object: JSONObject
    private let pointer: String

    init(_ object: JSONObject, at pointer: String) {
        self.object = object
        self.pointer = pointer
    }

    private static let coordinates = [
        ("latitude", "longitude"), ("lat", "lon"), ("lat", "lng"), ("lat", "long"),
    ]

    /// The members that may hold a place, with the way to them: those of the object, then of the objects in it whose names
    /// speak of one.
    private var holders: [(object: JSONObject, pointer: String)] {
        [(object, pointer)]
            + object.members.compactMap { member in
                let name = member.key.lowercased()
                let isPlace =
                    name.hasPrefix("gps") || name.hasPrefix("gnss")
                    || ["location", "position", "coordinates", "coords"].contains(name)
                return isPlace ? member.value.object.map { ($0, "\(pointer)/\(member.key)") } : nil
            }
    }

    /// Reads the place and what belongs to it.
    ///
    /// - Returns: `false` where there is none.
    func readPlace(
        into report: inout Report, _ fields: inout FieldReader, acceptNullIsland: Bool
    ) throws(Rejection) -> Bool {
        for (holder, pointer) in holders {
            for (latitudeName, longitudeName) in Self.coordinates {
                let latitude = Self.member(latitudeName, of: holder)
                let longitude = Self.member(longitudeName, of: holder)
                if latitude == nil, longitude == nil { continue }
                guard let latitude, let longitude else {
                    // "lat" alone may yet pair with another spelling of the other half.
                    if latitudeName == "lat", longitudeName != "long", latitude != nil { continue }
                    throw Rejection(
                        .missingPosition, at: "\(pointer)/\(latitude == nil ? latitudeName : longitudeName)",
                        "one coordinate without the other")
                }
                report.position = try PositionReader.degrees(
                    latitude: Self.degrees(latitude), longitude: Self.degrees(longitude),
                    at: ("\(pointer)/\(latitudeName)", "\(pointer)/\(longitudeName)"),
                    acceptNullIsland: acceptNullIsland)
                report.altitude = fields.number(Self.member("altitude", of: holder).map(Self.plain), "altitude")
                report.heading = fields.heading(
                    (Self.member("heading", of: holder) ?? Self.member("course", of: holder)).map(Self.plain))
                report.accuracy = fields.number(
                    Self.member("accuracy", of: holder).map(Self.plain), "accuracy"
                ).filter { $0 > 0 }
                return true
            }
        }
        return false
    }

    /// A charge under a name that says percent, whatever the case and the underscores.
    var charge: JSONValue? {
        for member in object.members {
            let name = String(member.key.lowercased().filter { $0 != "_" && $0 != "-" })
            if ["batterypercent", "batterypercentage", "batpercent", "batterypct", "batpct"].contains(name) {
                return Self.plain(member.value)
            }
        }
        return nil
    }

    /// The device's own time, if one of the usual names holds one that can be read.
    func time(_ times: TimeReader) -> Timestamp? {
        for name in ["time", "timestamp", "gps_time", "gpstime"] {
            if let time = Self.member(name, of: object).flatMap({ times.read($0) })?.time { return time }
        }
        return nil
    }

    private static func member(_ name: String, of object: JSONObject) -> JSONValue? {
        let value = object[name] ?? object.members.first { $0.key.lowercased() == name }?.value
        return value?.isNull == true ? nil : value
    }

    /// A number whose text carries a unit: `52.4219°`, `52.4219 ° N`, `44.5 m`, `87 %`.
    private static func plain(_ value: JSONValue) -> JSONValue {
        guard let text = value.string else { return value }
        var number = text[...]
        while let last = number.last, !last.isASCII || !(last.isNumber || last == ".") { number = number.dropLast() }
        return number.isEmpty || number.utf8.count + 6 < text.utf8.count ? value : .string(String(number))
    }

    /// Also with a hemisphere's letter, which gives the sign.
    private static func degrees(_ value: JSONValue) -> JSONValue {
        guard let text = value.string, let number = plain(value).string.flatMap(DecimalText.number) else {
            return value
        }
        let isNegative = text.hasSuffix("S") || text.hasSuffix("W")
        return .number(isNegative ? 0 - number.magnitude : number)
    }
}
