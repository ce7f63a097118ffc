internal import JSON
internal import Locations
internal import Timestamps

extension MessageMapping {
    /// Whether a message is of this kind, by its content.
    func fits(_ document: JSONValue) -> Bool {
        has.allSatisfy { $0.value(in: document).map { !$0.isNull } ?? false }
            && when.allSatisfy { condition in
                condition.pointer.value(in: document).map { condition.values.contains(where: $0.means) } ?? false
            }
    }

    /// Reads all that needs no memory and rejects nothing.
    func read(_ scope: MappingScope, _ input: PayloadReader, _ report: inout Report, _ fields: inout FieldReader) {
        func first<Way, Value>(
            _ ways: [Way], _ read: (Way, inout FieldReader) -> Reading<Value>
        ) -> Reading<Value> {
            for way in ways {
                let reading = read(way, &fields)
                if !reading.isAbsent { return reading }
            }
            return .absent
        }
        func number<Unit>(
            _ ways: [MappedNumber<Unit>], _ field: StaticString, from least: Double = -Double.greatestFiniteMagnitude
        ) -> Reading<Double> {
            first(ways) { way, fields in
                fields.number(way.read(scope, field, &fields), field, in: least...Double.greatestFiniteMagnitude)
            }
        }
        func text(_ ways: [MappedValue], _ field: StaticString) -> Reading<String> {
            first(ways) { way, fields in
                // Numbers are names too.
                way.read(scope, field, &fields).then { fields.text($0.plainText.map(JSONValue.string) ?? $0, field) }
            }
        }
        report.heading = first(heading) { $0.read(scope, &$1) }
        report.speed = number(speed, "speed", from: 0)
        report.accuracy = number(accuracy, "accuracy", from: 0)
        report.altitude = number(altitude, "altitude")
        report.charge = first(charge) { way, fields in
            let scale = way.unit == .percent ? input.settings.chargeScale : 0...100
            return way.read(scope, "charge", &fields).then { fields.charge($0, scale: scale) }
        }
        report.charging = first(charging) { way, fields in
            way.read(scope, "charging", &fields).then { fields.boolean($0, "charging") }
        }
        report.floor = first(floor) { way, fields in way.read(scope, "floor", &fields).then { fields.floor($0) } }
        report.name = text(name, "name")
        report.type = text(type, "type")
        report.building = text(building, "building")
        report.state = text(state, "state")
        time: for way in time {
            switch way.value.read(scope, "ts", &fields) {
            case .absent: continue
            case .unknown: break time
            case .value(let json):
                input.stamp(&report, way.time(json, input.times), &fields)
                break time
            }
        }
        if let value = first(sequence, { $0.read(scope, "seq", &$1) }).value {
            report.sequence = FieldReader.number(value).flatMap { Int64(exactly: $0) }
            if report.sequence == nil { fields.fault("seq-not-an-integer") }
        }
    }

    /// - Throws: Whether a device is connected is nothing to guess.
    func connection(_ scope: MappingScope, _ fields: inout FieldReader) throws(Rejection) -> Report.Connection? {
        for way in connection {
            let place = scope.pointer(to: way.sources.first)
            switch way.read(scope, "connection", &fields) {
            case .absent: continue
            case .unknown: throw Rejection(.badConnection, at: place, "neither online nor offline")
            case .value(let value):
                if let word = value.string.flatMap({ Report.Connection(rawValue: $0.lowercased()) }) { return word }
                throw Rejection(.badConnection, at: place, "neither online nor offline")
            }
        }
        return nil
    }
}

extension [MessageMapping.Property] {
    /// What is unknown is taken back: `null`.
    func read(_ scope: MappingScope, _ fields: inout FieldReader) -> JSONObject {
        var object = JSONObject()
        for property in self {
            for way in property.value {
                let reading = way.read(scope, "property", &fields)
                if reading.isAbsent { continue }
                object.append(property.name, reading.value ?? .null)
                break
            }
        }
        return object
    }
}

extension Reading<JSONValue> {
    /// Goes on with a value; nothing and unknown stay what they are.
    func then<Other>(_ read: (JSONValue) -> Reading<Other>) -> Reading<Other> {
        switch self {
        case .absent: .absent
        case .unknown: .unknown
        case .value(let json): read(json)
        }
    }
}

extension FieldReader {
    mutating func number(
        _ reading: Reading<JSONValue>, _ field: StaticString, in range: ClosedRange<Double>
    ) -> Reading<Double> {
        reading.then { number($0, field, in: range) }
    }
}
