internal import JSON
internal import MQTTModel
internal import Wording
internal import YAML

/// The section `broker` before its parts are held against each other.
struct BrokerDraft {
    var settings = BrokerSettings()
    var clientIdentifier: String?
    var sessionExpiryPlace: YAMLPlace?
    var passwordFilePlace: YAMLPlace?

    static var mapping: Mapping<BrokerDraft> {
        Mapping(
            fields: [
                Field("url", .brokerAddress, \.settings.address, "The broker: mqtt://host:port."),
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
                Field("passwordFile", .passwordFile, "A file with the password; FLEET_BRIDGE_PASSWORD overrules it.") {
                    $0.settings.password = $1
                    $0.passwordFilePlace = $2.place
                },
            ],
            notYet: NotYet.broker)
    }
}

extension BrokerDraft {
    /// Whether the file says how to log in.
    var namesCredentials: Bool { settings.username != nil || passwordFilePlace != nil }

    /// - Parameter place: Of the section, or of the file's beginning.
    func settings(defaultClientIdentifier: String, at place: YAMLPlace, _ context: Context) -> BrokerSettings {
        var settings = settings
        settings.clientIdentifier = clientIdentifier ?? defaultClientIdentifier
        if settings.sessionExpiry > .zero, clientIdentifier == nil, let sessionExpiryPlace {
            context.error(
                at: sessionExpiryPlace,
                "a session that outlives the connection needs a clientId of its own: set `clientId` too")
        }
        if let password = context.surroundings.variable("FLEET_BRIDGE_PASSWORD"), !password.isEmpty {
            if settings.username == nil {
                context.warning(at: place, "FLEET_BRIDGE_PASSWORD is set, but without a `username` it is not used")
            } else {
                settings.password = Secret(password)
            }
        }
        if settings.username == nil, let passwordFilePlace {
            context.error(at: passwordFilePlace, "a password needs a user: set `username` too")
        }
        return settings
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

extension ValueKind where Value == BrokerAddress {
    static var brokerAddress: ValueKind {
        ValueKind<String>.scalar(
            "a broker's URL: mqtt://host:port", schema: ["type": "string", "pattern": "^[Mm][Qq][Tt][Tt]://"]
        ) { value, _ in
            if case .text(let text) = value { text } else { nil }
        }.then { url, node, context in
            do throws(BrokerAddress.SyntaxError) {
                return try BrokerAddress(url: url)
            } catch {
                context.error(
                    node,
                    error.isAboutCredentials
                        ? "\(error.message); write `username`, and as `passwordFile` the name of a file with the password"
                        : error.message)
                return nil
            }
        }
    }
}

extension ValueKind where Value == String {
    static var clientIdentifier: ValueKind {
        text.then { text, node, context in
            if text.utf8.count <= 65_535, !text.hasControlCharacters { return text }
            context.error(node, "a client identifier has at most 65535 bytes and no control characters")
            return nil
        }
    }
}

extension ValueKind where Value == ProtocolVersion {
    /// As people write it: `5`, `3.1.1`, or `4`, which is what stands for 3.1.1 on the wire; also with `v` or `MQTT`.
    static var protocolVersion: ValueKind {
        ValueKind(
            schema: ["anyOf": [["enum": [5, "5", 4, "4", "3.1.1"]], ["$ref": "#/$defs/environment"]]]
        ) { node, context in
            var text = (node.scalar?.text ?? "").lowercased()[...]
            for prefix in ["mqtt", " ", "v"] where text.hasPrefix(prefix) { text = text.dropFirst(prefix.count) }
            switch text {
            case "5", "5.0": return .mqtt5
            case "4", "3.1.1", "311": return .mqtt311
            case "3", "3.1", "31":
                context.error(node, "MQTT 3.1 (\(node.quoted)) is not supported; expected 5 or 3.1.1")
            default: context.expected("a version of MQTT: 5 or 3.1.1", node)
            }
            return nil
        }
    }
}

extension ValueKind where Value == QoS {
    static var qos: ValueKind {
        ValueKind<Int>.integer(in: 0...2).then { number, _, _ in QoS(rawValue: UInt8(number)) }
    }
}

extension ValueKind where Value == Duration {
    static func wholeSeconds(in range: ClosedRange<Duration>) -> ValueKind {
        duration(in: range).then { duration, node, context in
            if duration.components.attoseconds == 0 { return duration }
            context.error(node, "\(node.quoted) has a part of a second, for which MQTT has no room")
            return nil
        }
    }
}

extension ValueKind where Value == Duration? {
    static func offOrWholeSeconds(in range: ClosedRange<Duration>) -> ValueKind {
        let seconds = ValueKind<Duration>.wholeSeconds(in: range)
        return durationOrOff(in: range).then { duration, node, context in
            duration == nil ? .some(nil) : seconds.read(node, context)
        }
    }
}

extension ValueKind where Value == Secret {
    /// The name of a file with a password, relative to the configuration's folder.
    static var passwordFile: ValueKind {
        ValueKind<String>.text.then { name, node, context in
            let path = name.hasPrefix("/") ? name : context.folder + name
            switch context.surroundings.read(path) {
            case .failure(let error):
                context.error(node, "\(Escape.text(node.quoted)) cannot be read: \(error.message)")
                return nil
            case .success(let file):
                if file.isReadableByOthers {
                    context.warning(
                        at: node.place, "the file with the password is readable by other users; chmod o-r it")
                }
                guard let password = password(in: file.bytes) else {
                    context.error(node, "expected a password in the file: one line of UTF-8, at most 65535 bytes")
                    return nil
                }
                return Secret(password)
            }
        }
    }

    private static func password(in bytes: [UInt8]) -> String? {
        var bytes = bytes[...]
        if bytes.last == UInt8(ascii: "\n") { bytes = bytes.dropLast() }
        if bytes.last == UInt8(ascii: "\r") { bytes = bytes.dropLast() }
        guard (1...65_535).contains(bytes.count), !bytes.contains(0), !bytes.contains(UInt8(ascii: "\n")) else {
            return nil
        }
        return String(validating: bytes, as: UTF8.self)
    }
}

extension String {
    var hasControlCharacters: Bool { unicodeScalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) } }
}
