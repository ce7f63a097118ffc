internal import DisplayRules
internal import JSON
internal import Locations
internal import MQTTModel

/// What the engine answers.
extension Engine {
    func answer(_ message: Message, _ name: String) {
        guard !message.retain else { return }
        var request = Request(
            topicName: responseTopic(wantedBy: message) ?? topics.response(to: RequestDesk.topic(of: name)),
            correlation: message.correlation?.data)
        do throws(RequestError) {
            let content = try RequestDesk.read(message.payload, parser)
            // Told even where the rest is wrong, so that whoever asked knows.
            request.transaction = try RequestDesk.transaction(of: content)
            let name = try RequestDesk.name(name)
            try RequestDesk.check(content, of: name)
            if let data = try perform(name, content, request) { send(.success(data), to: request) }
        } catch {
            send(.failure(error), to: request)
        }
    }

    func send(_ result: Result<[UInt8], RequestError>, to request: Request) {
        let payload = RequestDesk.answer(request, result, limit: output.publisher.outputLimit)
        let isKept = output.publisher.post(
            Message(
                topicName: request.topicName, payload: payload, qos: .atLeastOnce,
                correlation: request.correlation.map { Correlation(responseTopic: nil, data: $0) }))
        guard isKept else {
            return logOnce(
                "answers", .warning, "too many requests; one is not answered", ["topic": request.topicName])
        }
    }

    /// The topic of the request's own choice; `nil` where it names none, or one that would disturb the bridge.
    private func responseTopic(wantedBy message: Message) -> String? {
        guard let wanted = message.correlation?.responseTopic, !wanted.isEmpty, wanted.utf8.first != UInt8(ascii: "$"),
            !wanted.utf8.contains(where: { $0 == 0 || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "#") })
        else { return nil }
        let isOwn = wanted.utf8.starts(with: "\(topics.prefix)/".utf8) || wanted.hasSameBytes(as: topics.prefix)
        if isOwn, !wanted.utf8.starts(with: topics.response(to: "").utf8) { return nil }
        return sources.route(wanted) == nil ? wanted : nil
    }

    /// - Returns: What to answer, as JSON; `nil` where that comes later.
    private func perform(
        _ name: RequestName, _ content: JSONObject, _ request: Request
    ) throws(RequestError) -> [UInt8]? {
        let room = RequestDesk.room(for: request, limit: output.publisher.outputLimit)
        switch name {
        case .explain: return Array(try explain(content).text.utf8)
        case .locationsGet: return try locations(content, room: room)
        case .locationsRemove: return try removeLocation(content)
        case .sourcesList: return try listSources(content, room: room)
        case .sourcesStart: return describe(try start(source(content)))
        case .sourcesStop: return describe(try stop(source(content)))
        case .sourcesClear: return describe(try clear(managed(content)).source)
        case .configReload: try reconfigure(.reload, for: request)
        case .sourcesAdd:
            let id = try content.text("source")
            if isConfigured(Identifier(id)) {
                throw RequestError(.sourceExists, "there is a source \"\(id)\" in the configuration")
            }
            try reconfigure(.putSource(id: id, settings: settings(content)), for: request)
        case .sourcesReplace:
            try reconfigure(.putSource(id: configured(content), settings: settings(content)), for: request)
        case .sourcesRemove: try reconfigure(.removeSource(id: configured(content)), for: request)
        }
        return nil
    }

    // MARK: One location

    private func explain(_ content: JSONObject) throws(RequestError) -> JSONValue {
        let location = try location(content)
        let explanation = explanation(of: location)
        guard let property = try content.optionalText("property") else { return explanation.json(of: location) }
        guard DisplayProperty.named(property) != nil else {
            throw RequestError(.unknownProperty, "there is no display property \"\(property)\"")
        }
        return explanation.only(property).json(of: location)
    }

    private func removeLocation(_ content: JSONObject) throws(RequestError) -> [UInt8] {
        let managed = try managed(content)
        let location = try location(content)
        managed.source.withdraw(location.id, at: now)
        log(.info, "a location is removed by request", ["source": location.source.text, "id": location.id.text])
        var writer = JSONWriter()
        writer.reference(source: location.source, id: location.id)
        return writer.bytes
    }

    private func location(_ content: JSONObject) throws(RequestError) -> Location {
        let source = try source(content)
        let id = Identifier(try content.text("id"))
        guard let location = source.location(id) else {
            throw RequestError(.unknownLocation, "there is no location \"\(id)\" in \"\(source.id)\"")
        }
        return location
    }

    // MARK: Sources

    private func source(_ content: JSONObject) throws(RequestError) -> any LocationSource {
        let id = Identifier(try content.text("source"))
        guard let source = source(id) else {
            throw RequestError(.unknownSource, "there is no source \"\(id)\"")
        }
        return source
    }

    /// A source that messages feed.
    private func managed(_ content: JSONObject) throws(RequestError) -> ManagedSource {
        let id = try source(content).id
        guard let managed = sources[id] else {
            throw RequestError(.notConfigured, "no message feeds \"\(id)\": its locations come and go by themselves")
        }
        return managed
    }

    /// The id of an entry of the configuration.
    private func configured(_ content: JSONObject) throws(RequestError) -> String {
        let id = try content.text("source")
        if isConfigured(Identifier(id)) { return id }
        let managed = try managed(content)
        throw RequestError(
            .notConfigured, "\"\(id)\" is made by the template \"\(managed.entry)\"; it can be stopped and cleared")
    }

    private func isConfigured(_ id: Identifier) -> Bool {
        configuration.sources.contains { $0.id == id } || configuration.derived.contains { $0.id == id }
    }

    private func settings(_ content: JSONObject) throws(RequestError) -> JSONValue {
        guard let settings = content["settings"], settings.object != nil else {
            throw RequestError(.invalidRequest, "\"settings\" is no object; it is what stands below the source's id")
        }
        return settings
    }

    // MARK: The configuration

    private func reconfigure(_ edit: ConfigurationEdit, for request: Request) throws(RequestError) {
        guard waitingRequests.count < Self.maximumWaitingRequests else {
            throw RequestError(.busy, "\(waitingRequests.count) requests wait for the configuration to be read")
        }
        let token = tokens.next()
        waitingRequests[token] = request
        effects.append(.reconfigure(edit, token))
    }

    /// Answers whoever asked for another configuration.
    func answer(_ token: RequestToken?, _ result: Result<[UInt8], RequestError>) {
        guard let token, let request = waitingRequests.removeValue(forKey: token) else { return }
        send(result, to: request)
    }
}
