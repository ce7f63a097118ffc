internal import DisplayRules
internal import JSON
internal import Locations
internal import MQTTModel
internal import Timestamps

/// What the engine answers.
extension Engine {
    func answer(_ message: Message, _ name: String) {
        guard !message.retain else { return }
        let limit = output.publisher.outputLimit
        let answer = RequestDesk.answer(name, message.payload, parser, limit: limit) {
            (name, request) throws(RequestError) in
            switch name {
            case .explain: try explain(request)
            }
        }
        let topicName = responseTopic(wantedBy: message) ?? topics.response(to: RequestDesk.topic(of: name))
        let isKept = output.publisher.post(
            Message(
                topicName: topicName, payload: answer, qos: .atLeastOnce,
                correlation: message.correlation?.data.map { Correlation(responseTopic: nil, data: $0) }))
        guard isKept else {
            return logOnce("answers", .warning, "too many requests; one is not answered", ["request": name])
        }
    }

    /// The topic of the request's own choice; `nil` where it names none, or one that would disturb the bridge.
    func responseTopic(wantedBy message: Message) -> String? {
        guard let wanted = message.correlation?.responseTopic, !wanted.isEmpty, wanted.utf8.first != UInt8(ascii: "$"),
            !wanted.utf8.contains(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "#") })
        else { return nil }
        let isOwn = wanted.utf8.starts(with: "\(topics.prefix)/".utf8) || wanted.hasSameBytes(as: topics.prefix)
        if isOwn, !wanted.utf8.starts(with: topics.response(to: "").utf8) { return nil }
        return sources.route(wanted) == nil ? wanted : nil
    }

    func explain(_ request: JSONObject) throws(RequestError) -> JSONValue {
        let source = Identifier(try request.text("source"))
        let id = Identifier(try request.text("id"))
        guard let managed = sources[source] else {
            throw RequestError(.unknownSource, "there is no source \"\(source)\"")
        }
        guard let location = managed.source.location(id) else {
            throw RequestError(.unknownLocation, "there is no location \"\(id)\" in \"\(source)\"")
        }
        let memory = output.topic(of: id, source: source)?.memory
        let explanation = Explanation(of: location, by: configuration.displayRules, memory: memory)
        guard let property = try request.optionalText("property") else { return explanation.json(of: location) }
        guard DisplayProperty.named(property) != nil else {
            throw RequestError(.unknownProperty, "there is no display property \"\(property)\"")
        }
        return explanation.only(property).json(of: location)
    }
}
