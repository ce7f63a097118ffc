public import JSON
internal import TelemetryFormats

extension MessageExplanation {
    /// For programs: what stands where, and what became of it.
    public var json: JSONValue {
        var object = JSONObject([("topic", .string(topicName)), ("bytes", .number(Double(size)))])
        func add(_ key: String, _ text: String?) { if let text { object.append(key, .string(text)) } }
        if isStoredCopy { object.append("retained", true) }
        add("source", source)
        add("format", format)
        add("filter", filter)
        if let provenance {
            if provenance.isPacked { object.append("packed", true) }
            object.append("taken", .array(provenance.origins.map(Self.json)))
            func addUses(_ key: String, _ uses: [Provenance.Use]) {
                if !uses.isEmpty { object.append(key, .array(uses.map(Self.json))) }
            }
            if !provenance.deciding.isEmpty {
                object.append("deciding", .array(provenance.deciding.map(Self.json)))
            }
            addUses("remembered", provenance.remembered)
            addUses("given", provenance.given)
            object.append("notTaken", .array(provenance.notTaken.map(JSONValue.string)))
            if provenance.isIncomplete { object.append("incomplete", true) }
        }
        add("frame", frame)
        if !places.isEmpty {
            object.append("places", .array(places.map { ["map": .string($0.map), "fields": .object($0.fields)] }))
        }
        object.append(
            "policies",
            .array(
                policies.map { ["policy": .string($0.name.rawValue), "detail": .string($0.detail)] }))
        object.append("end", .string(end))
        object.append("output", output)
        return .object(object)
    }

    private static func json(_ origin: Provenance.Origin) -> JSONValue {
        var object = JSONObject()
        switch origin.place {
        case .payload(let pointer): object.append("pointer", .string(pointer))
        case .topic(let level, let name):
            object.append("topicLevel", .number(Double(level)))
            if let name { object.append("name", .string(name)) }
        }
        if let value = origin.value { object.append("value", value) }
        if !origin.uses.isEmpty { object.append("fields", .array(origin.uses.map(json))) }
        return .object(object)
    }

    private static func json(_ use: Provenance.Use) -> JSONValue {
        var object = JSONObject()
        if use.report > 0 { object.append("report", .number(Double(use.report))) }
        object.append("field", .string(use.field))
        object.append("value", use.value)
        if let conversion = use.conversion { object.append("converted", .string(conversion)) }
        return .object(object)
    }
}
