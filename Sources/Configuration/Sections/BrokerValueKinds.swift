internal import JSON
internal import MQTTModel
internal import SettingsFile
internal import YAML

extension ValueKind where Value == BrokerAddress {
    static var brokerAddress: ValueKind {
        ValueKind<String>.scalar(
            "a broker's URL: mqtt://host:port or mqtts://host:port",
            schema: ["type": "string", "pattern": "^[Mm][Qq][Tt][Tt][Ss]?://"]
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
        line(atMost: 65_535, or: "a client identifier has at most 65535 bytes and no control characters")
    }

    /// What people call a bridge: it stands in a page's title and beside figures.
    static var instance: ValueKind {
        line(atMost: 100, or: "a name of a bridge has at most 100 bytes and no control characters")
    }

    /// A text of one line.
    ///
    /// - Parameters:
    ///   - bytes: That it has at most.
    ///   - fault: What is said of one that is longer, or has control characters.
    static func line(atMost bytes: Int, or fault: String) -> ValueKind {
        text.then { text, node, context in
            if text.utf8.count <= bytes, !text.hasControlCharacters { return text }
            context.error(node, fault)
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

extension ValueKind where Value == String {
    /// The name of a file that is read later, relative to the configuration's folder; read as an absolute one, or
    /// relative to where the process runs.
    ///
    /// - Parameter isSecret: Whether others must not read it.
    static func file(isSecret: Bool = false) -> ValueKind {
        text.then { name, node, context in
            let path = context.path(ofFile: name)
            switch context.surroundings.read(path) {
            case .failure(let error):
                context.error(node, "\(node.quoted) cannot be read: \(error.message)")
                return nil
            case .success(let file):
                if isSecret, file.isReadableByOthers {
                    context.warning(at: node.place, "the file is secret and readable by other users; chmod o-r it")
                }
                return path
            }
        }
    }
}

extension String {
    var hasControlCharacters: Bool { unicodeScalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) } }
}
