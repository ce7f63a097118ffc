internal import JSON
internal import Locations
internal import MQTTModel

/// Reads what a ``FormatMapping`` describes.
struct MappingFormat: TelemetryFormat {
    private let mapping: FormatMapping
    private let input: PayloadReader
    private var memory: MappingMemory

    init(_ mapping: FormatMapping, settings: SourceSettings) {
        self.mapping = mapping
        input = PayloadReader(settings)
        memory = MappingMemory(limit: settings.maxLocations)
    }

    mutating func decode(_ message: IncomingMessage) throws(Rejection) -> Decoded {
        guard let first = mapping.messages.indices.first(where: { names(of: message, in: $0) != nil }) else {
            return .ignored(reason: "other-topic", id: nil)
        }
        let kind = mapping.messages[first]
        // Before the payload is looked at: what is ignored may be anything.
        if let reason = kind.ignore, kind.isDecidedByTopic {
            return ignored(reason, kind, scope(message, first, .null))
        }
        if message.payload.isEmpty { return withdrawal(message) }
        switch kind.payload {
        case .text?: return try read(.string(try PayloadReader.text(message.payload)), message)
        case .json?, nil:
            return try input.messages(message.payload) { (object) throws(Rejection) in
                try read(.object(object), message)
            }
        }
    }

    /// - Returns: `nil` where the topic carries another kind of message.
    private func names(of message: IncomingMessage, in index: Int) -> TopicNames? {
        let topics = mapping.messages[index].topics
        guard !topics.isEmpty else { return TopicNames() }
        return topics.lazy.compactMap { $0.matchEnd(of: message.topic) }.first
    }

    private func scope(_ message: IncomingMessage, _ index: Int, _ document: JSONValue) -> MappingScope {
        MappingScope(
            message: message, names: names(of: message, in: index) ?? TopicNames(),
            source: input.settings.device ?? "", document: document, element: document)
    }

    private func ignored(_ reason: String, _ kind: MessageMapping, _ scope: MappingScope) -> Decoded {
        .ignored(reason: reason, id: kind.isAlive ? try? identifier(kind, scope) : nil)
    }

    private func withdrawal(_ message: IncomingMessage) -> Decoded {
        guard let index = mapping.withdrawing, names(of: message, in: index) != nil,
            let id = try? identifier(mapping.messages[index], scope(message, index, .null))
        else { return .empty() }
        return .withdrawn(id)
    }

    /// Reads a message by the first kind that it fits.
    private mutating func read(_ document: JSONValue, _ message: IncomingMessage) throws(Rejection) -> Decoded {
        for index in mapping.messages.indices {
            guard names(of: message, in: index) != nil, mapping.messages[index].fits(document) else { continue }
            let (kind, scope) = (mapping.messages[index], scope(message, index, document))
            if let reason = kind.ignore { return ignored(reason, kind, scope) }
            return try elements(kind, scope)
        }
        return .ignored(reason: "nothing-for-us", id: nil)
    }

    // MARK: Elements

    private mutating func elements(_ kind: MessageMapping, _ scope: MappingScope) throws(Rejection) -> Decoded {
        guard !kind.elements.isEmpty else { return try report(kind, scope) }
        for elements in kind.elements {
            guard let found = elements.pointer.value(in: scope.document), !found.isNull else { continue }
            let place = elements.pointer.plainText(in: scope.document)
            if elements.isEach || found.array != nil { return try batch(found, kind, scope, place) }
            // The whole of a text is a text.
            guard found.object != nil || place.isEmpty else {
                throw Rejection(.notAnObject, at: place, "not an object")
            }
            var inner = scope
            (inner.element, inner.place) = (found, place)
            return try report(kind, inner)
        }
        return .ignored(reason: "nothing-known", id: try? identifier(kind, scope))
    }

    private mutating func batch(
        _ list: JSONValue, _ kind: MessageMapping, _ scope: MappingScope, _ place: String
    ) throws(Rejection) -> Decoded {
        let members: [(key: String, value: JSONValue)] =
            switch list {
            case .object(let object): object.members.map { ($0.key, $0.value) }
            case .array(let elements): elements.enumerated().map { ("\($0)", $1) }
            default: throw Rejection(.notAnObject, at: place, "neither an object nor an array")
            }
        do throws(Rejection) {
            _ = try Batch.objects(members.map(\.value)) { JSONPointer.escape(members[$0].key) }
        } catch {
            throw error.below(place)
        }
        var batch = Batch()
        for (key, element) in members {
            var inner = scope
            (inner.element, inner.key, inner.place) = (element, key, place + "/" + JSONPointer.escape(key))
            do throws(Rejection) {
                batch.add(try report(kind, inner))
            } catch {
                batch.add(error)
            }
        }
        return batch.decoded
    }

    // MARK: Reports

    private mutating func report(_ kind: MessageMapping, _ scope: MappingScope) throws(Rejection) -> Decoded {
        let id = try identifier(kind, scope)
        var report = Report(id: id)
        report.stream = kind.stream
        var fields = FieldReader(nullMeans: .absent)
        let hasFix = (kind.validity + (input.settings.validity.map { [$0] } ?? [])).allSatisfy {
            $0.holds(in: scope.element)
        }
        kind.read(scope, input, &report, &fields)
        report.connection = try kind.connection(scope, &fields)
        let place = try position(kind, scope, hasFix: hasFix, &report, &fields)
        // Last, since what is remembered of a message must not be of one that is rejected.
        report.properties = properties(kind, scope, id, &fields)
        report.isHeadingOnPlan = mapping.isOnPlan && report.position.value == nil && report.heading.value != nil
        if !hasFix { report.loseFix() }
        report.faults = fields.faults
        switch place {
        case .half where report.isEmpty: return .ignored(reason: "half-a-position", id: id)
        case .nullIsland where report.saysOnlyWhere:
            throw Rejection(.noFix, at: scope.place, "0,0 is no fix, and there is nothing else")
        default: return report.isEmpty ? .ignored(reason: "nothing-known", id: id) : .report(report)
        }
    }

    private enum Place { case ordinary, half, nullIsland }

    private mutating func position(
        _ kind: MessageMapping, _ scope: MappingScope, hasFix: Bool, _ report: inout Report, _ fields: inout FieldReader
    ) throws(Rejection) -> Place {
        guard let mapped = kind.position else { return .ordinary }
        guard hasFix, var coordinates = Coordinates(mapped, scope, &fields) else {
            report.position = .unknown
            return .ordinary
        }
        if mapped.isPaired, !(coordinates.first.isMissing && coordinates.second.isMissing) {
            try coordinates.check()
            guard let whole = memory.pair(coordinates, of: report.id) else { return .half }
            coordinates = whole
        }
        report.position = try coordinates.read(acceptNullIsland: input.settings.acceptNullIsland)
        if case (.unknown, .value, .value) = (report.position, coordinates.first, coordinates.second) {
            return .nullIsland
        }
        return .ordinary
    }

    private mutating func properties(
        _ kind: MessageMapping, _ scope: MappingScope, _ id: Identifier, _ fields: inout FieldReader
    ) -> JSONObject {
        var properties = kind.properties.read(scope, &fields)
        guard let nearest = kind.nearest else { return properties }
        let distance = nearest.distance.read(scope, "distance", &fields)
        let known = memory.nearest(
            id, sender: scope.message.topic.levels,
            distance: fields.number(distance, "distance", in: 0...Double.greatestFiniteMagnitude).value,
            nearest.properties.read(scope, &fields), within: nearest.within, at: scope.message.arrival.monotonic)
        for member in known?.members ?? [] { properties[member.key] = member.value }
        return properties
    }

    private func identifier(_ kind: MessageMapping, _ scope: MappingScope) throws(Rejection) -> Identifier {
        guard !kind.id.isEmpty else {
            let device = scope.value(of: .template([.name("device")]))?.string
            return try DeviceID.choose(topic: device, payload: nil, settings: input.settings)
        }
        var fields = FieldReader(nullMeans: .absent)
        for way in kind.id {
            switch way.read(scope, "id", &fields) {
            case .absent: continue
            case .value(.bool): break
            case .value(let value):
                guard let text = value.plainText else { break }
                return try DeviceID.check(text, at: scope.pointer(to: way.sources.first))
            case .unknown: break
            }
            throw Rejection(.badDeviceID, at: scope.pointer(to: way.sources.first), "an id is a text or a number")
        }
        throw Rejection(.badDeviceID, at: scope.pointer(to: kind.id.first?.sources.first), "whose message is it?")
    }
}
