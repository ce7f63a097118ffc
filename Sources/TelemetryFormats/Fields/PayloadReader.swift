internal import JSON
internal import Locations
internal import Timestamps

/// What every decoder of JSON begins with: the source's settings, its clock's zone and a parser. A class, since it is large
/// to copy.
final class PayloadReader {
    let settings: SourceSettings
    let times: TimeReader
    private let parser = JSONParser()

    init(_ settings: SourceSettings) {
        self.settings = settings
        times = TimeReader(zoneName: settings.timeZone)
    }

    /// A payload that is plain text.
    static func text(_ payload: [UInt8]) throws(Rejection) -> String {
        guard let text = String(validating: payload, as: UTF8.self) else {
            throw Rejection(.invalidUTF8, "ill-formed UTF-8")
        }
        return text
    }

    /// Parses a payload; what is not strict JSON is a rejection with the same reason. A number that 64 bits do not hold is no
    /// fault of the message but of its field, which finds a text in its place.
    func json(_ payload: [UInt8]) throws(Rejection) -> JSONValue {
        do {
            return try parser.parse(payload, largeNumbersAreText: true)
        } catch {
            throw Rejection(Rejection.Reason(rawValue: error.reason.rawValue), at: error.pointer, error.detail)
        }
    }

    /// Parses a payload that must be an object.
    func object(_ payload: [UInt8]) throws(Rejection) -> JSONObject {
        guard let object = try json(payload).object else { throw Rejection(.notAnObject, "not an object") }
        return object
    }

    /// Parses a payload that is one message or a list of them.
    func messages(
        _ payload: [UInt8], _ decode: (JSONObject) throws(Rejection) -> Decoded
    ) throws(Rejection) -> Decoded {
        switch try json(payload) {
        case .object(let object): return try decode(object)
        case .array(let elements): return try Batch.messages(elements, decode)
        default: throw Rejection(.notAnObject, "neither an object nor an array of objects")
        }
    }

    /// Takes over the device's time. What is missing or `null` says nothing, what cannot be read is a fault.
    func stamp(_ report: inout Report, _ value: JSONValue?, _ fields: inout FieldReader) {
        guard let value, !value.isNull else { return }
        stamp(&report, times.read(value), &fields)
    }

    /// - Parameter reading: `nil` for a time that cannot be read.
    func stamp(_ report: inout Report, _ reading: TimeReader.Reading?, _ fields: inout FieldReader) {
        if let reading {
            (report.time, report.laterTime) = (reading.time, reading.later)
        } else {
            fields.fault("ts-unreadable")
        }
    }
}

extension Decoded {
    /// A message of zero length: it takes away the device on whose own topic it came, and elsewhere only clears a topic.
    static func empty(withdrawing id: Identifier? = nil) -> Decoded {
        id.map { .withdrawn($0) } ?? .ignored(reason: "empty", id: nil)
    }
}

extension Report {
    /// Whether it says nothing but where the device is, when and in which order.
    var saysOnlyWhere: Bool {
        var rest = self
        rest.position = .absent
        return rest.isEmpty
    }

    /// The device has no fix: where it is, is not known, nor is what else the message took from the same fix.
    mutating func loseFix() {
        func lose<Value>(_ reading: inout Reading<Value>) { if !reading.isAbsent { reading = .unknown } }
        lose(&position)
        lose(&heading)
        lose(&speed)
        lose(&accuracy)
        lose(&altitude)
    }
}
