import CommandLineTool
import JSON
import SettingsFile
import YAML

/// One entry of `fleets` while it is read.
struct FleetDraft {
    var place = YAMLPlace(line: 1, column: 1)
    var source: String?
    var format = SimulatedFormat.native
    var count: Int?
    var motion: any FleetMotion = .random
    var interval: Duration?
    var connections = FleetPlan.Connections.own
    var map = "floor"
    var id: String?
    var name: String?
    var type: String?
    var building: String?
    var floors: [Int]?
    var faults = FaultSettings()
    var schedule: [CommandSchedule.Entry] = []

    static var kind: ValueKind<FleetDraft> {
        ValueKind(schema: mapping.schema) { node, context in
            var draft = FleetDraft(place: node.place)
            mapping.read(node, into: &draft, context)
            draft.check(node, context)
            return draft
        }
    }

    static var mapping: Mapping<FleetDraft> {
        Mapping(fields: [
            Field(
                "source", .topicLevel, \.source, "The level above the device in the topics; by default the format's."),
            Field("format", .word(of: SimulatedFormat.all.map(\.name)), "What the devices publish; native by default.")
            {
                draft, name, _ in draft.format = SimulatedFormat.all.first { $0.name == name } ?? .native
            },
            Field("count", .integer(in: 1...10_000), \.count, "How many devices; 16, of people 100, with a file 1."),
            Field("motion", .motion, \.motion, "How they move: a name, or a mapping with its kind and settings."),
            Field(
                "interval", .duration(in: DeviceCommand.shortestInterval ... .longest), \.interval,
                "From one message of a device to its next; 500ms by default."),
            Field("connections", .connections, \.connections, "own (the default), shared, or how many for all."),
            Field("map", .text, \.map, "vda5050: the plan's mapId; floor by default."),
            Field("id", .topicLevel, \.id, "What stands before the number in the ids."),
            Field("name", .text, \.name, "What stands before the number in the names."),
            Field("type", .text, \.type, "What the devices are."),
            Field("building", .text, \.building, "Where they are; Stigsborgvej by default."),
            Field(
                "floors", .list(of: .integer(in: -10_000...10_000), atLeast: 1),
                "The indices of the floors they are on, in turn."
            ) {
                draft, floors, _ in draft.floors = floors.map(\.value)
            },
            Field(
                "faults", .faultSettings, \.faults,
                "What goes wrong: names with how often, from 0 to 1; or a list of names, or all."),
            Field("schedule", .list(of: .scheduleEntry), "Commands at times of the run.") { draft, entries, _ in
                draft.schedule = entries.map(\.value)
            },
        ])
    }

    var plan: FleetPlan {
        var plan = FleetPlan(format: format, motion: motion, source: source, count: count, map: map)
        if let interval { plan.interval = interval }
        plan.connections = connections
        if let id { plan.kind.stem = id }
        if let name { plan.kind.name = name + " " }
        if let type { plan.kind.type = type }
        if let floors { plan.kind.floors = floors }
        if let building { plan.building = building }
        plan.faults = faults
        plan.schedule = schedule
        return plan
    }

    /// What only the whole entry shows.
    private mutating func check(_ node: YAMLNode, _ context: Context) {
        if var track = motion as? GPXFleetMotion {
            track.isSampled = interval != nil
            motion = track
        }
        do {
            motion = try motion.prepared { context.warning(at: node.place, $0) }
        } catch {
            context.entering("motion").error(node.member("motion") ?? node, "\(error)")
        }
        var plan = plan
        do throws(UsageError) {
            try plan.dropImpossibleFaults()
            faults = plan.faults
        } catch {
            context.entering("faults").error(node.member("faults") ?? node, error.message)
        }
        let ids = Set((0..<plan.count).map { "\(plan.kind.stem)\($0)" })
        for (index, entry) in schedule.enumerated() {
            for device in entry.devices ?? [] where !ids.contains(device) {
                let inner = context.entering("schedule").entering(index).entering("devices")
                inner.error(
                    node.member("schedule")?.sequence?[index].member("devices") ?? node,
                    "there is no device \"\(device)\" of this fleet; they are \(plan.kind.stem)0 to \(plan.kind.stem)\(plan.count - 1)"
                )
            }
        }
    }
}

extension YAMLNode {
    /// What stands under a key of a mapping.
    func member(_ key: String) -> YAMLNode? { mapping?.first { $0.key.utf8.elementsEqual(key.utf8) }?.value }
}
