internal import Configuration
internal import FleetEngine
internal import MQTTModel
import SettingsFile

/// The configuration that the bridge goes by: the file as it was read last, and what requests have changed since.
final class LiveConfiguration {
    private let path: String?
    private let reader: ConfigurationReader
    /// What the command line says counts more than the file.
    private var brokerAddress: BrokerAddress?
    private var document: ConfigurationDocument
    private var hasBuiltInSources: Bool
    /// As it was at the start: what is fixed then stays so.
    private(set) var started: BridgeConfiguration

    /// - Parameters:
    ///   - path: `nil`: the built-in configuration.
    ///   - own: The program's own sources.
    ///   - brokerAddress: Instead of the file's.
    ///   - report: Gets what is to be said about the file.
    /// - Returns: `nil` where it cannot be used.
    init?(_ path: String?, own: [OwnSource] = [], brokerAddress: BrokerAddress?, report: (Diagnostic) -> Void) {
        self.path = path
        reader = ConfigurationReader(own: own)
        let read = Self.read(reader, path)
        for diagnostic in read.diagnostics { report(diagnostic) }
        guard let document = read.document, let configuration = read.configuration else { return nil }
        (self.document, started, hasBuiltInSources) = (document, configuration, configuration.hasBuiltInSources)
        if let brokerAddress { use(brokerAddress) }
    }

    /// From now on the broker is there, whatever the file says.
    func use(_ brokerAddress: BrokerAddress) {
        self.brokerAddress = brokerAddress
        started.broker.address = brokerAddress
    }

    /// Changes the configuration where the whole of it is valid then; else nothing is changed.
    ///
    /// - Parameter report: Gets warnings; errors are in the event.
    /// - Returns: What the engine is to be told.
    func apply(_ edit: ConfigurationEdit, for token: RequestToken?, report: (Diagnostic) -> Void) -> Event {
        let read =
            switch edit {
            case .reload: Self.read(reader, path)
            case .putSource(let id, let settings):
                Self.read(reader, document.edited(SourceEdit(id: id, settings: settings)))
            case .removeSource(let id): Self.read(reader, document.edited(SourceEdit(id: id, settings: nil)))
            }
        guard let document = read.document, var new = read.configuration else {
            let errors = read.diagnostics.filter { $0.severity == .error }
            return .configurationRefused(errors.map(\.description), for: token)
        }
        // A file that is being written, or was cut by a full disk, must not take the fleet away.
        if case .reload = edit, new.hasBuiltInSources, !hasBuiltInSources {
            let message = "the file has no `sources` any more; the built-in ones would count only after a restart"
            return .configurationRefused(["\(path ?? ""): error: \(message)"], for: token)
        }
        hasBuiltInSources = new.hasBuiltInSources
        for diagnostic in read.diagnostics { report(diagnostic) }
        self.document = document
        if let brokerAddress { new.broker.address = brokerAddress }
        return .configuration(new.engine, for: token, needsRestart: needsRestart(new))
    }

    private func needsRestart(_ new: BridgeConfiguration) -> [String] {
        var settings: [String] = []
        if !new.broker.reaches(started.broker) { settings.append("broker") }
        switch (new.outputBroker, started.outputBroker) {
        case (nil, nil): break
        case (let new?, let started?) where new.reaches(started): break
        default: settings.append("outputBroker")
        }
        if new.engine.prefix != started.engine.prefix { settings.append("topics.prefix") }
        if new.engine.encodesTopicsStrictly != started.engine.encodesTopicsStrictly { settings.append("topics.encode") }
        if new.engine.stateExpiry != started.engine.stateExpiry { settings.append("stateExpiry") }
        if new.engine.instance != started.engine.instance { settings.append("instance") }
        if new.gpxLog != started.gpxLog { settings.append("gpxLog") }
        settings += Self.served(new.http, started.http)
        return settings
    }

    /// What of the page and the API has changed, which is served as it was at the start.
    private static func served(_ new: HTTPSettings?, _ started: HTTPSettings?) -> [String] {
        guard let new, let started else { return new == started ? [] : ["http"] }
        var rest = new
        rest.iconFolder = started.iconFolder
        return (rest == started ? [] : ["http"]) + (new.iconFolder == started.iconFolder ? [] : ["icons"])
    }

    private typealias Reading = (
        document: ConfigurationDocument?, configuration: BridgeConfiguration?, diagnostics: [Diagnostic]
    )

    private static func read(_ reader: ConfigurationReader, _ path: String?) -> Reading {
        switch reader.open(path) {
        case .success(let document): read(reader, document)
        case .failure(let diagnostic): (nil, nil, [diagnostic])
        }
    }

    private static func read(_ reader: ConfigurationReader, _ document: ConfigurationDocument) -> Reading {
        let outcome = reader.read(document)
        return (document, outcome.configuration, outcome.diagnostics)
    }
}

extension BrokerSettings {
    /// Whether both connect in the same way. What is in the password's file counts at the next connect, whatever it was.
    fileprivate func reaches(_ other: BrokerSettings) -> Bool {
        var (a, b) = (self, other)
        if a.passwordFile != nil, a.passwordFile == b.passwordFile { (a.password, b.password) = (nil, nil) }
        return a == b
    }
}
