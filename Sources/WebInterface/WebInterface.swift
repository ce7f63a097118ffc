internal import FleetEngine
public import HTTPServer
internal import JSON
internal import Locations
internal import Synchronization

/// Answers requests: which of them go where. It is called on the server's threads and keeps none of them waiting.
public final class WebInterface: Sendable {
    /// Of `/events`.
    static let maximumReaders = 50

    private let store: BoardStore
    private let questions: QuestionBox
    private let policy: AccessPolicy
    private let folders: WebFolders
    private let settings: PageSettings
    private let readers = Atomic(0)

    public init(
        _ store: BoardStore, questions: QuestionBox, policy: AccessPolicy, folders: WebFolders,
        settings: PageSettings = PageSettings()
    ) {
        (self.store, self.questions, self.policy, self.folders) = (store, questions, policy, folders)
        self.settings = settings
    }

    public func answer(_ request: HTTPRequest) -> HTTPAnswer {
        switch policy.judge(request) {
        case .allowed: return route(request)
        case .signedIn(let cookie): return .now(secured(signIn(request, cookie)))
        case .wrongHost:
            return .now(
                secured(.problem(421, "the server is not known by this name; http.hosts lists those it is called by")))
        case .noToken, .wrongToken:
            return isPublic(request) ? route(request, withDetails: false) : .now(secured(denial))
        }
    }

    /// What tells no more than whether the bridge is well, for those who watch over it.
    private func isPublic(_ request: HTTPRequest) -> Bool {
        [["healthz"], ["readyz"]].contains(request.target.segments)
    }

    private var denial: HTTPResponse {
        .text(401, "A token is needed: as the header \"Authorization: Bearer …\", or once as /?token=…")
            .adding("WWW-Authenticate", "Bearer realm=\"Fleet Bridge\"").adding("Cache-Control", "no-store")
    }

    /// The token goes from the address into a cookie, which no script reads and no other site's page sends along.
    private func signIn(_ request: HTTPRequest, _ cookie: String) -> HTTPResponse {
        guard request.target.segments == [""] else { return .problem(400, "the token is taken at / alone") }
        return HTTPResponse(
            303,
            headers: [
                ("Location", "/"), ("Cache-Control", "no-store"),
                ("Set-Cookie", "\(AccessPolicy.cookie)=\(cookie); Path=/; HttpOnly; SameSite=Lax"),
            ])
    }

    private func secured(_ response: HTTPResponse) -> HTTPResponse {
        response.secured(imageSources: settings.imageSources)
    }

    // MARK: Routes

    private func route(_ request: HTTPRequest, withDetails: Bool = true) -> HTTPAnswer {
        switch request.target.segments {
        case ["healthz"]: return ask { _ in .json(200, ["status": "ok"]) }
        case ["readyz"]:
            return ask { engine in
                let (isReady, document) = ReadinessDocument.make(engine.readiness, withDetails: withDetails)
                return .json(isReady ? 200 : 503, document)
            }
        case ["metrics"]:
            return ask { [self] engine in
                let text = BridgeMetrics.text(
                    engine.figures, engine.readiness, .now(), readers: readers.load(ordering: .relaxed))
                return HTTPResponse(type: "text/plain; version=0.0.4; charset=utf-8", Array(text.utf8))
            }
        case ["api", "locations"]: return .now(secured(locations(request.target.query)))
        case ["api", "sources"]: return .now(secured(sources()))
        case ["api", "rules"]: return ask { .json(200, $0.rulesDocument) }
        case ["api", "venues"]: return ask { .json(200, FloorPlans.document($0.configuration.venues)) }
        case ["api", "settings"]: return .now(secured(.json(200, settings.document(icons: folders.icons.index))))
        case ["events"]: return .now(secured(events(request)))
        case let path where path.count > 2 && path.prefix(2) == ["api", "locations"]:
            return location(Array(path.dropFirst(2)), request.target)
        case let path where path.first == "api": return .now(secured(.problem(404, "there is no such endpoint")))
        case let path: return .now(secured(file(path, request)))
        }
    }

    private func ask(_ answer: @escaping @Sendable (Engine) -> HTTPResponse) -> HTTPAnswer {
        questions.ask(otherwise: secured(.problem(503, "the engine does not answer"))) { [self] in secured(answer($0)) }
    }

    // MARK: The API

    private func locations(_ query: [HTTPTarget.Parameter]) -> HTTPResponse {
        do throws(BadRequest) {
            let wanted = try LocationQuery(query)
            let (sequence, shown) = store.locations
            return HTTPResponse(
                type: "application/geo+json",
                FeatureCollection.write(
                    shown.filter { wanted.takes($0.location) }, reference: store.reference(sequence))
            ).adding("Cache-Control", "no-store")
        } catch {
            return .problem(400, error.reason)
        }
    }

    /// - Parameter path: Behind `/api/locations/`.
    private func location(_ path: [String], _ target: HTTPTarget) -> HTTPAnswer {
        guard path.count == 2 || path.count == 3 && path[2] == "explain" else {
            return .now(secured(.problem(404, "expected /api/locations/{source}/{id} or …/{id}/explain")))
        }
        let (source, id) = (Identifier(path[0]), Identifier(path[1]))
        let missing = HTTPResponse.problem(404, "there is no location \"\(id)\" in \"\(source)\"")
        if path.count == 2 {
            return .now(secured(store.location(id, source: source).map { .json(200, $0.state) } ?? missing))
        }
        let property = target.value("property")
        return ask { engine in
            engine.explanation(of: id, source: source, property: property).map { .json(200, $0) } ?? missing
        }
    }

    private func sources() -> HTTPResponse {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("sources")
        writer.beginArray()
        for source in store.sources { writer.raw(source.description) }
        writer.endArray()
        writer.endObject()
        return .json(200, writer.bytes)
    }

    private func events(_ request: HTTPRequest) -> HTTPResponse {
        guard readers.add(1, ordering: .relaxed).newValue <= Self.maximumReaders else {
            readers.subtract(1, ordering: .relaxed)
            return .problem(503, "\(Self.maximumReaders) read events already").adding("Retry-After", "10")
        }
        // A page that has fetched the locations cannot set a header for the first time.
        let reference = request.text(of: "Last-Event-ID") ?? request.target.value("lastEventId")
        let stream = EventStream(store, from: reference.flatMap(store.sequence)) { [self] in
            readers.subtract(1, ordering: .relaxed)
        }
        return HTTPResponse(
            200,
            headers: [
                ("Content-Type", "text/event-stream"), ("Cache-Control", "no-store"), ("X-Accel-Buffering", "no"),
            ], .stream(stream))
    }

    // MARK: Files

    private func file(_ path: [String], _ request: HTTPRequest) -> HTTPResponse {
        let known = request.text(of: "If-None-Match")
        if path.first == "leaflet" {
            guard let leaflet = folders.leaflet else { return .text(404, WebFolders.leafletIsMissing) }
            return leaflet.response(to: Array(path.dropFirst()), known: known) ?? .text(404, "Leaflet has no such file")
        }
        if path.count == 2, path[0] == "icons" {
            return folders.icons.response(to: path[1], known: known) ?? .text(404, "there is no such icon")
        }
        guard let page = folders.page else { return .text(404, folders.faults.joined(separator: "\n")) }
        return page.response(to: path == [""] ? ["index.html"] : path, known: known)
            ?? .text(404, "there is no such file")
    }
}
