import CommandLineTool
import JSON
import SettingsFile
import YAML

extension ValueKind where Value == String {
    /// One level of a topic name, which wildcards and separators would turn into something else.
    static var topicLevel: ValueKind {
        text.then { text, node, context in
            do throws(UsageError) {
                return try TopicLevelText.check(text)
            } catch {
                context.error(node, error.message)
                return nil
            }
        }
    }
}

extension ValueKind where Value == FleetPlan.Connections {
    static var connections: ValueKind {
        ValueKind(schema: ["anyOf": [["enum": ["own", "shared"]], ["type": "integer", "minimum": 1]]]) {
            node, context in
            switch node.scalar?.coreValue {
            case .text("own"): return .own
            case .text("shared"): return .shared(nil)
            case .integer(let count) where (1...10_000).contains(count): return .shared(Int(count))
            default:
                context.expected("own, shared or a number from 1 to 10000", node)
                return nil
            }
        }
    }
}

extension ValueKind where Value == FaultSettings {
    /// `{drop: 0.1, nan: 0.05}`, `[drop, nan]` for as often as usual, or `all`.
    static var faultSettings: ValueKind {
        let names = FaultKind.allCases.map(\.rawValue)
        let often = ValueKind<Double>.number("how often, from 0 to 1", in: 0...1)
        let mapping = Mapping<FaultSettings>(
            fields: FaultKind.allCases.map { kind in
                Field(kind.rawValue, often, kind.summary + ".") { settings, probability, _ in
                    settings.probabilities[kind] = probability
                }
            })
        let list = ValueKind<[(value: FaultKind, node: YAMLNode)]>.list(of: ValueKind<FaultKind>.choice)
        let schema: JSONValue = ["anyOf": [["const": "all"], list.schema, mapping.schema]]
        return ValueKind(schema: schema) { node, context in
            if case .text("all") = node.scalar?.coreValue { return .all }
            var settings = FaultSettings()
            if node.sequence != nil {
                for kind in list.read(node, context) ?? [] {
                    settings.probabilities[kind.value] = kind.value.usualProbability
                }
            } else if node.mapping != nil {
                mapping.read(node, into: &settings, context)
            } else {
                context.expected("all, a list of \(names.joined(separator: ", ")), or a mapping of them", node)
                return nil
            }
            return settings
        }
    }
}

extension ValueKind where Value == CommandSchedule.Entry {
    /// A command as it comes by MQTT, and when: `{at: 10s, every: 1m, devices: [vacuum3], command: stop, for: 5s}`.
    static var scheduleEntry: ValueKind {
        let time = ValueKind<Duration>.duration(in: .zero ... .longest)
        let schema: JSONValue = [
            "type": "object", "required": ["at", "command"],
            "properties": [
                "at": time.schema, "every": time.schema, "devices": ["type": "array", "items": ["type": "string"]],
                "command": ["enum": .array(DeviceCommand.names.map { .string($0) })], "for": time.schema,
                "factor": ["type": "number"], "interval": time.schema, "graceful": ["type": "boolean"],
            ],
            "additionalProperties": false,
        ]
        return ValueKind(schema: schema) { node, context in
            guard node.mapping != nil else {
                context.expected("a mapping such as {at: 10s, command: stop, for: 5s}", node)
                return nil
            }
            guard let at = node.member("at") else {
                context.error(node, "the setting \"at\" is missing: when, since the start of the run")
                return nil
            }
            let every = node.member("every")
            let period = ValueKind<Duration>.duration(in: .milliseconds(100) ... .longest)
            let devices = node.member("devices").map {
                ValueKind<[(value: String, node: YAMLNode)]>.list(of: ValueKind<String>.text, atLeast: 1)
                    .read($0, context.entering("devices"))
            }
            guard let start = time.read(at, context.entering("at")), let command = command(node, context) else {
                return nil
            }
            return CommandSchedule.Entry(
                time: start, period: every.flatMap { period.read($0, context.entering("every")) },
                devices: devices??.map(\.value), command: command)
        }
    }

    private static func command(_ node: YAMLNode, _ context: Context) -> DeviceCommand? {
        var isReadable = true
        let json = node.json { error in
            context.error(at: error.place, error.message)
            isReadable = false
        }
        guard isReadable, let object = json.object else { return nil }
        do throws(DeviceCommand.Fault) {
            return try DeviceCommand(object, besides: ["at", "every", "devices"])
        } catch {
            let place = error.key.flatMap { key in node.mapping?.first { $0.key == key }?.value }
            context.error(place ?? node, error.description)
            return nil
        }
    }
}
