internal import JSON
internal import MQTTModel
internal import SettingsFile
internal import Wording
internal import YAML

/// The section `broker` or `outputBroker` before its parts are held against each other.
struct BrokerDraft {
    var settings = BrokerSettings()
    var clientIdentifier: String?
    var sessionExpiryPlace: YAMLPlace?
    var passwordFilePlace: YAMLPlace?
    /// Settings that only TLS has a use for.
    var tlsPlaces: [(key: String, place: YAMLPlace)] = []

    init(section: String = "broker") { settings.section = section }

    /// What only reading has a use for.
    private static let readingFields = ["qos", "sessionExpiry"]

    static var outputMapping: Mapping<BrokerDraft> {
        Mapping(fields: mapping.fields.filter { !readingFields.contains($0.key) })
    }

    static var mapping: Mapping<BrokerDraft> {
        Mapping(
            fields: [
                Field(
                    "url", .brokerAddress, \.settings.address,
                    "The broker: mqtt://host:port, or mqtts://host:port for TLS."),
                Field(
                    "clientId", .clientIdentifier, \.clientIdentifier,
                    "The client identifier; by default made of machine and configuration file."),
                Field("protocol", .protocolVersion, \.settings.protocolVersion, "The version of MQTT: 5 or 3.1.1."),
                Field("qos", .qos, \.settings.qos, "Quality of service of the subscriptions: 0, 1 or 2."),
                // libmosquitto refuses less than 5 s, and two bytes hold no more than 65 535 s.
                Field(
                    "keepAlive", .wholeSeconds(in: .seconds(5) ... .seconds(65_535)), \.settings.keepAlive,
                    "Longest silence on the connection."),
                Field(
                    "sessionExpiry", .offOrWholeSeconds(in: .zero ... .longest),
                    "How long the broker keeps the session while the bridge is away; more than 0s needs a clientId."
                ) { draft, duration, node in
                    draft.settings.sessionExpiry = duration ?? .zero
                    draft.sessionExpiryPlace = node.place
                },
                Field("username", .text, \.settings.username, "The user's name at the broker."),
                Field(
                    "passwordFile", .file(isSecret: true),
                    "A file with the password; FLEET_BRIDGE_PASSWORD in the environment, or for outputBroker"
                        + " FLEET_BRIDGE_OUTPUT_PASSWORD, overrules it."
                ) {
                    $0.settings.passwordFile = $1
                    $0.passwordFilePlace = $2.place
                },
                tls(
                    "caFile", .file(), \.caFile,
                    "The certificate authorities that are trusted; without it the system's."),
                tls("certFile", .file(), \.certFile, "The bridge's own certificate, where the broker wants one."),
                tls("keyFile", .file(isSecret: true), \.keyFile, "The private key of certFile."),
                tls(
                    "serverName", .text, \.serverName,
                    "The name that the broker's certificate is for, where it is not the host in the URL."),
            ])
    }

    private static func tls(
        _ key: String, _ kind: ValueKind<String>, _ path: WritableKeyPath<TLSOptions, String?>, _ summary: String
    ) -> Field<BrokerDraft> {
        Field(key, kind, summary) {
            $0.settings.tls[keyPath: path] = $1
            $0.tlsPlaces.append((key, $2.place))
        }
    }
}

extension BrokerDraft {
    /// Whether the file says how to log in.
    var namesCredentials: Bool { settings.username != nil }

    /// - Parameter place: Of the section, or of the file's beginning.
    func settings(defaultClientIdentifier: String, at place: YAMLPlace, _ context: Context) -> BrokerSettings {
        var settings = settings
        settings.clientIdentifier = clientIdentifier ?? defaultClientIdentifier
        if settings.sessionExpiry > .zero, clientIdentifier == nil, let sessionExpiryPlace {
            context.error(
                at: sessionExpiryPlace,
                "a session that outlives the connection needs a clientId of its own: set `clientId` too")
        }
        let variable = context.surroundings.variable(variableName).flatMap { $0.isEmpty ? nil : Secret($0) }
        if variable != nil { settings.passwordFile = nil }
        settings.password = password(variable, at: place, context)
        checkTLS(context)
        return settings
    }

    /// The environment variable with the password.
    private var variableName: String {
        settings.section == "outputBroker" ? "FLEET_BRIDGE_OUTPUT_PASSWORD" : "FLEET_BRIDGE_PASSWORD"
    }

    /// - Parameter variable: What the environment says, which overrules the file.
    private func password(_ variable: Secret?, at place: YAMLPlace, _ context: Context) -> Secret? {
        guard settings.username != nil else {
            if variable != nil {
                context.warning(at: place, "\(variableName) is set, but without a `username` it is not used")
            }
            if let passwordFilePlace {
                context.error(at: passwordFilePlace, "a password needs a user: set `username` too")
            }
            return nil
        }
        if let variable { return variable }
        guard let path = settings.passwordFile, let passwordFilePlace else { return nil }
        switch PasswordFile.read(path, context.surroundings) {
        case .success(let password): return password
        case .failure(let error):
            context.entering("passwordFile").error(at: passwordFilePlace, error.message)
            return nil
        }
    }

    private func checkTLS(_ context: Context) {
        let tls = settings.tls
        for (key, place) in tlsPlaces {
            if !settings.address.isSecure {
                context.entering(key).error(at: place, "is for TLS alone; write mqtts:// in `url`")
            } else if key == "certFile", tls.keyFile == nil {
                context.entering(key).error(at: place, "a certificate needs its key: set `keyFile`, too")
            } else if key == "keyFile", tls.certFile == nil {
                context.entering(key).error(at: place, "a key needs its certificate: set `certFile`, too")
            }
        }
    }
}

/// The client identifier where none is configured: it stays over restarts, and differs between machines and between
/// configurations of one machine.
func defaultClientIdentifier(machine: String, configurationPath: String) -> String {
    // FNV-1a
    var hash: UInt32 = 0x811C_9DC5
    for byte in Array(machine.utf8) + [0] + Array(configurationPath.utf8) {
        hash = (hash ^ UInt32(byte)) &* 0x0100_0193
    }
    let digits = String(hash, radix: 16)
    return "fleet-bridge-" + String(repeating: "0", count: 8 - digits.count) + digits
}
