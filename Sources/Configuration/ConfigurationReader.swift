internal import DisplayRules
internal import FleetEngine
internal import JSON
internal import Locations
public import SettingsFile
internal import Venues
internal import YAML

/// Reads configuration files. Everything that is wrong with a file is found in one go.
public struct ConfigurationReader {
    private let surroundings: Surroundings
    private let own: [OwnSource]

    /// - Parameter own: The program's own sources, which configurations may name.
    public init(surroundings: Surroundings = .system, own: [OwnSource] = []) {
        (self.surroundings, self.own) = (surroundings, own)
    }

    /// What a file came to.
    public struct Outcome: Sendable {
        /// `nil` where there are errors.
        public var configuration: BridgeConfiguration?
        /// Errors and warnings in the order of the file.
        public var diagnostics: [Diagnostic]
        /// What is worth knowing of a file without being wrong with it, in the order of the file.
        public var information: [Diagnostic] = []
    }

    /// - Parameter path: `nil`: the built-in configuration.
    public func read(_ path: String?) -> Outcome {
        switch open(path) {
        case .success(let document): return read(document)
        case .failure(let diagnostic): return Outcome(configuration: nil, diagnostics: [diagnostic])
        }
    }

    /// Reads a file's content.
    ///
    /// - Parameter path: Names the file in messages and is where relative file names start from.
    public func read(_ bytes: [UInt8], path: String, isReadableByOthers: Bool = false) -> Outcome {
        read(ConfigurationDocument(path: path, bytes: bytes, isReadableByOthers: isReadableByOthers))
    }

    /// Fetches a file without reading what it says.
    ///
    /// - Parameter path: `nil`: the built-in configuration.
    public func open(_ path: String?) -> Result<ConfigurationDocument, Diagnostic> {
        guard let path else { return .success(ConfigurationDocument(path: "built-in", bytes: [])) }
        switch surroundings.read(path) {
        case .success(let file):
            return .success(
                ConfigurationDocument(path: path, bytes: file.bytes, isReadableByOthers: file.isReadableByOthers))
        case .failure(let error):
            return .failure(
                Diagnostic(
                    severity: .error, file: path, message: "the configuration cannot be read: \(error.message)"))
        }
    }

    public func read(_ content: ConfigurationDocument) -> Outcome {
        let path = content.path
        let log = DiagnosticLog(file: path)
        let document = YAMLDocument(content.bytes)
        for error in document.errors { log.report(.error, error.place, error.message) }
        if document.root == nil, !document.errors.isEmpty {
            return Outcome(configuration: nil, diagnostics: log.diagnostics)
        }
        let context = Context(path: "", log: log, surroundings: surroundings, folder: Self.folder(of: path))
        let substitution = EnvironmentSubstitution(variable: surroundings.variable) {
            log.report(.error, $0.place, $0.message)
        }
        var draft = BridgeDraft()
        if let root = document.root {
            BridgeDraft.mapping.read(substitution.apply(to: root), into: &draft, context)
        }
        let credentials = draft.broker.namesCredentials ? draft.brokerPlace : nil
        let outputCredentials = draft.outputBroker?.namesCredentials == true ? draft.outputBrokerPlace : nil
        if content.isReadableByOthers, let place = credentials ?? outputCredentials {
            context.warning(
                at: place, "this configuration names credentials and is readable by other users; chmod o-r it")
        }
        let configuration = finish(draft, content, context)
        return Outcome(
            configuration: log.hasErrors ? nil : configuration, diagnostics: log.diagnostics,
            information: log.information)
    }

    private func finish(
        _ draft: BridgeDraft, _ content: ConfigurationDocument, _ context: Context
    ) -> BridgeConfiguration {
        let path = content.path
        let builtIn = Self.builtIn(context)
        var sources = draft.sources ?? builtIn.sources ?? []
        for edit in content.edits { edit.apply(to: &sources, context.entering("sources")) }
        checkOwnIDs(sources, context.entering("sources"))
        let names = SourceNames(sources, own: own)
        let site = SiteReading(buildings: draft.buildings, zones: draft.zones, context: context)
        let (venues, zones) = (site.venues(), site.readZones())
        Places(buildings: draft.buildings, maps: draft.maps, zones: draft.zones, context: context).fill(
            &sources, draft.areas(venues, zones), PositionMatchers(venues, of: draft.buildings, for: sources))
        let derived = DerivedSources(
            sources: sources, own: own, names: names, buildings: draft.buildings, venues: venues, context: context
        ).configurations()
        let drafts = draft.displayRules ?? builtIn.displayRules ?? []
        let rulesContext = context.entering("displayRules")
        let file = draft.displayRules == nil ? "built-in" : path
        // The built-in rules have no place in the file that could be warned about.
        let icons = draft.displayRules == nil ? nil : draft.icons?.known(withPage: draft.http, context)
        let rules = drafts.enumerated().compactMap { $1.compile(index: $0, file: file, icons: icons, rulesContext) }
        let broker = draft.broker.settings(
            defaultClientIdentifier: defaultClientIdentifier(
                machine: surroundings.machineIdentifier, configurationPath: surroundings.absolutePath(path)),
            at: draft.brokerPlace, context.entering("broker"))
        let outputBroker = outputBroker(draft, besides: broker, context)
        FilterChecks(
            prefix: draft.topics.prefix, prefixPlace: draft.topics.prefixPlace,
            clientIdentifier: broker.clientIdentifier, homeAssistant: draft.homeAssistant, context: context
        ).check(sources)
        warnOfStrangers(drafts, names, rulesContext)
        var engine = EngineConfiguration(
            sources: sources.filter { $0.kind == .telemetry }.map(\.configuration), displayRules: DisplayRuleSet(rules))
        engine.derived = derived
        engine.prefix = draft.topics.prefix
        engine.clientIdentifier = outputBroker?.clientIdentifier ?? broker.clientIdentifier
        engine.sourceClientIdentifier = outputBroker == nil ? nil : broker.clientIdentifier
        engine.subscriptionQoS = broker.qos
        engine.keepsSession = broker.sessionExpiry > .zero
        engine.republishRate = draft.republishRate
        engine.maxOutput = draft.maxOutput
        engine.encodesTopicsStrictly = draft.topics.encoding == .strict
        engine.stateExpiry = draft.stateExpiry
        if draft.stateExpiry != nil, (outputBroker ?? broker).protocolVersion == .mqtt311 {
            context.entering("stateExpiry").warning(
                at: draft.stateExpiryPlace, "does nothing: MQTT 3.1.1 has no expiry of messages")
        }
        engine.homeAssistant = draft.homeAssistant?.settings
        engine.snapshotInterval = draft.snapshots.every
        engine.probeInterval = draft.http == nil ? nil : .seconds(5)
        (engine.venues, engine.zones) = (venues, zones)
        (engine.coordinateSystem, engine.instance) = (draft.coordinateSystem, draft.instance)
        return BridgeConfiguration(
            broker: broker, outputBroker: outputBroker, engine: engine, hasBuiltInSources: draft.sources == nil,
            gpxLog: draft.gpxLog?.finished(names, context.entering("gpxLog")),
            http: draft.http?.finished(iconFolder: draft.icons?.folder, context.entering("http")))
    }

    private func outputBroker(
        _ draft: BridgeDraft, besides broker: BrokerSettings, _ context: Context
    ) -> BrokerSettings? {
        let context = context.entering("outputBroker")
        let settings = draft.outputBroker?.settings(
            defaultClientIdentifier: broker.clientIdentifier + "-output", at: draft.outputBrokerPlace, context)
        if let settings, settings.address == broker.address,
            settings.clientIdentifier.hasSameBytes(as: broker.clientIdentifier)
        {
            context.error(
                at: draft.outputBrokerPlace,
                "this is `broker` once more, with the same clientId: the two connections would push each other off")
        }
        return settings
    }

    /// The built-in configuration, read like a file. What is wrong with it is told like any other fault.
    private static func builtIn(_ context: Context) -> BridgeDraft {
        var draft = BridgeDraft()
        if let root = YAMLDocument(BuiltIn.text).root { BridgeDraft.mapping.read(root, into: &draft, context) }
        for index in (draft.sources ?? []).indices { draft.sources?[index].isBuiltIn = true }
        return draft
    }

    private func checkOwnIDs(_ sources: [SourceDraft], _ context: Context) {
        for source in sources where own.contains(where: { $0.id.text.hasSameBytes(as: source.id) }) {
            context.entering(source.id).error(
                at: source.idPlace, "\"\(source.id)\" is a source of the program itself; another id is needed")
        }
    }

    /// A rule for a source that is not there does nothing, most likely for a misspelt id.
    private func warnOfStrangers(_ rules: [DisplayRuleDraft], _ names: SourceNames, _ context: Context) {
        for (index, rule) in rules.enumerated() {
            for source in rule.match.source ?? [] {
                guard let fault = names.fault(of: source) else { continue }
                context.entering(index).entering("match").entering("source").warning(at: source.node.place, fault)
            }
        }
    }

    private static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    }
}

extension BridgeDraft {
    /// What sources need to find rooms and zones; `nil` where there are none.
    fileprivate func areas(_ venues: [Venue], _ zones: [Zone]) -> AreaSettings? {
        guard !venues.isEmpty || !zones.isEmpty else { return nil }
        var areas = AreaSettings(finder: SiteAreas(venues: venues, zones: zones))
        (areas.dwell, areas.margin) = (presence.dwell, presence.margin)
        return areas
    }
}
