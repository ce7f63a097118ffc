internal import Configuration
internal import FleetEngine
internal import HTTPServer
internal import JSON
internal import MQTTClient
internal import Timestamps
internal import WebInterface

/// The bridge's side of its HTTP server: what belongs to the engine's thread.
final class WebServer {
    private static let interval = Duration.seconds(1)

    private let board: LiveBoard
    private let questions: QuestionBox
    private let server: HTTPServer
    private var rate = RateMeter()
    private var nextFigures = Duration.zero
    private var lastFigures: [UInt8] = []
    private var wasLive = false

    /// - Parameter wakePipe: Of the engine's thread.
    init(_ settings: HTTPSettings, of engine: Engine, wakePipe: WakePipe, _ console: Console, at now: Instant) throws {
        let board = LiveBoard.make(startedAt: now.wall)
        let questions = QuestionBox { wakePipe.wake() }
        let folders = WebFolders(setting: settings.webFolder, icons: settings.iconFolder)
        let interface = WebInterface(
            board.store, questions: questions,
            policy: AccessPolicy(token: settings.token, isLoopback: settings.isLoopback, hosts: settings.hosts),
            folders: folders,
            settings: PageSettings(
                name: engine.configuration.instance,
                tiles: settings.tiles.map {
                    PageSettings.Tiles(
                        url: $0.url, origin: $0.origin, attribution: $0.attribution, maxZoom: $0.maxZoom)
                }))
        do {
            server = try HTTPServer(host: settings.host, port: settings.port) { interface.answer($0) }
        } catch {
            throw WebServerFault(description: "http.listen: \(settings.host):\(settings.port): \(error)")
        }
        (self.board, self.questions) = (board, questions)
        engine.noteRestyled()
        engine.add(board)
        console.log(LogEntry(.info, "serving", ["url": url]), at: now.wall)
        for fault in folders.faults { console.log(LogEntry(.warning, fault), at: now.wall) }
    }

    var url: String {
        let host = server.host.contains(":") ? "[\(server.host)]" : server.host
        return "http://\(host):\(server.port)/"
    }

    /// When ``advance(_:at:)`` has something to do.
    var nextDeadline: Duration { min(board.nextDeadline ?? nextFigures, nextFigures) }

    /// Shows what has changed, and answers what was asked.
    func advance(_ engine: Engine, at now: Instant) {
        if now.monotonic >= nextFigures || engine.isLive != wasLive {
            nextFigures = now.monotonic + Self.interval
            wasLive = engine.isLive
            let figures = figures(engine, at: now.monotonic)
            if figures != lastFigures { board.put(bridge: figures) }
            lastFigures = figures
        }
        questions.answer(by: engine)
        if board.advance(engine, at: now) { server.wakeStreams() }
    }

    private func figures(_ engine: Engine, at now: Duration) -> [UInt8] {
        let (snapshot, readiness) = (engine.snapshot, engine.readiness)
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("connected")
        writer.bool(snapshot.isConnected)
        writer.key("reading")
        writer.bool(snapshot.isReading)
        for (key, count) in [
            ("messages", snapshot.messages), ("rejected", snapshot.rejected), ("published", snapshot.published),
            ("locations", snapshot.locations),
        ] {
            writer.key(key)
            writer.integer(count)
        }
        writer.key("messagesPerSecond")
        writer.number((rate.measure(snapshot.messages, at: now) * 10).rounded() / 10)
        if let roundTrip = readiness.roundTrip {
            writer.key("roundTripMilliseconds")
            writer.number((roundTrip.inSeconds * 10_000).rounded() / 10)
        }
        writer.endObject()
        return writer.bytes
    }

    /// Sources may be others now.
    func configurationChanged(at now: Instant) { board.lookAtSourcesAgain(at: now.monotonic) }

    func stop() { server.stop() }
}

/// Why nothing can be served; the text is for people.
struct WebServerFault: Error, CustomStringConvertible {
    var description: String
}
