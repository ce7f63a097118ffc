internal import JSON
internal import Locations
internal import MQTTModel
internal import Timestamps

/// iRobot Roomba: the shadow of its local MQTT, relays that publish each leaf on a topic of its own, and position reports.
///
/// Most shadow messages carry one key: what is not in them stays as it was, key by key. A pose is in centimetres from the
/// dock, `theta` whole degrees anticlockwise from x; a report's `xyt` is metres and radians in the stored map's frame.
struct RoombaFormat: TelemetryFormat {
    /// The relays' topics, and the streams: shadow and report come first.
    private enum Leaf: String, CaseIterable {
        case theta = "pose_theta"
        case x = "pose_point_x"
        case y = "pose_point_y"
        case charge = "batPct"
        case phase = "cleanMissionStatus_phase"
        case cycle = "cleanMissionStatus_cycle"
        case error = "cleanMissionStatus_error"
        case state, name
        case binFull = "bin_full"
        case binPresent = "bin_present"

        var stream: Int { 2 + (Self.allCases.firstIndex(of: self) ?? 0) }
    }

    private enum Stream { static let shadow = 0, report = 1 }

    private let input: PayloadReader
    private var robots: [Identifier: Robot] = [:]

    /// What is known of a robot, leaf by leaf.
    private struct Robot {
        var leaves: [Leaf: JSONValue] = [:]
        /// Halves of a position that were said since the last whole one.
        var isNew: Set<Leaf> = []
    }

    init(settings: SourceSettings) { input = PayloadReader(settings) }

    mutating func decode(_ message: IncomingMessage) throws(Rejection) -> Decoded {
        let levels = message.topic.levels
        let last = levels.last ?? ""
        if let relay = Self.relay(levels) {
            return try leaf(relay.leaf, message, try DeviceID.check(message.names["name"] ?? relay.name))
        }
        let id = try shadowID(message)
        if message.payload.isEmpty { return .empty(withdrawing: last == "update" ? id : nil) }
        let object = try input.object(message.payload)
        if object["reportType"] != nil { return try positions(object, id) }
        return try shadow(object, id)
    }

    /// `…/feedback/{name}/{leaf}`.
    private static func relay(_ levels: [String]) -> (name: String, leaf: String)? {
        guard levels.count >= 3, levels[levels.count - 3] == "feedback" else { return nil }
        return (levels[levels.count - 2], levels[levels.count - 1])
    }

    /// `$aws/things/{blid}/shadow/update`; elsewhere the connection alone says which robot it is.
    private func shadowID(_ message: IncomingMessage) throws(Rejection) -> Identifier {
        if let name = message.names["blid"] ?? message.names["name"] ?? message.names["device"] {
            return try DeviceID.check(name)
        }
        let levels = message.topic.levels
        if let things = levels.firstIndex(of: "things"), things + 1 < levels.count {
            return try DeviceID.check(levels[things + 1])
        }
        return Identifier(input.settings.device ?? "")
    }

    private mutating func remember(_ id: Identifier, _ change: (inout Robot) -> Void) -> Robot {
        var robot = robots[id] ?? Robot()
        change(&robot)
        if robots[id] != nil || robots.count < input.settings.maxLocations { robots[id] = robot }
        return robot
    }

    // MARK: The shadow

    private mutating func shadow(_ object: JSONObject, _ id: Identifier) throws(Rejection) -> Decoded {
        let state = object["state"]
        if state?.object?["desired"] != nil, state?.object?["reported"] == nil {
            return .ignored(reason: "command", id: nil)
        }
        // Relays leave the envelope out; one of them wraps the mission in "ok".
        let reported = (state?.object?["reported"] ?? object["ok"])?.object ?? object
        let leaves = Self.leaves(of: reported)
        guard !leaves.isEmpty else { return .ignored(reason: "nothing-for-us", id: id) }
        var report = Report(id: id)
        report.stream = Stream.shadow
        var next = robots[id] ?? Robot()
        next.leaves.merge(leaves) { $1 }
        if leaves[.x] != nil || leaves[.y] != nil || leaves[.theta] != nil {
            report.position = try Self.position(next)
        }
        let robot = remember(id) { $0.leaves = next.leaves }
        var fields = FieldReader(nullMeans: .absent)
        describe(robot, &report, &fields)
        if report.position.isAbsent, leaves[.theta] == nil { report.heading = .absent }
        report.faults = fields.faults
        return .report(report)
    }

    /// What a part of a shadow says of what we know by name; `null` says nothing.
    private static func leaves(of reported: JSONObject) -> [Leaf: JSONValue] {
        let pose = (reported["pose"] ?? reported["pos"])?.object
        let point = pose?["point"]?.object
        let mission = reported["cleanMissionStatus"]?.object ?? reported
        let bin = reported["bin"]?.object
        let values: [(Leaf, JSONValue?)] = [
            (.theta, pose?["theta"]), (.x, point?["x"]), (.y, point?["y"]), (.charge, reported["batPct"]),
            (.phase, mission["phase"]), (.cycle, mission["cycle"]), (.error, mission["error"]),
            (.name, reported["name"]), (.binFull, bin?["full"]), (.binPresent, bin?["present"]),
        ]
        var leaves: [Leaf: JSONValue] = [:]
        for (leaf, value) in values { if let value, !value.isNull { leaves[leaf] = value } }
        return leaves
    }

    private static func position(_ robot: Robot) throws(Rejection) -> Reading<ReportedPosition> {
        guard let x = robot.leaves[.x], let y = robot.leaves[.y] else { return .absent }
        return try PositionReader.plan(
            x: x, y: y, at: ("/state/reported/pose/point/x", "/state/reported/pose/point/y"), perMetre: 100)
    }

    // MARK: Relays

    private mutating func leaf(
        _ topic: String, _ message: IncomingMessage, _ id: Identifier
    ) throws(Rejection) -> Decoded {
        guard let leaf = Leaf(rawValue: topic) else { return .ignored(reason: "other-topic", id: id) }
        guard !message.payload.isEmpty else { return .empty() }
        let text = try PayloadReader.text(message.payload)
        if leaf == .x || leaf == .y { _ = try PositionReader.number(.string(text), at: "") }
        let robot = remember(id) {
            $0.leaves[leaf] = .string(text)
            if leaf == .x || leaf == .y { $0.isNew.insert(leaf) }
        }
        var report = Report(id: id)
        report.stream = leaf.stream
        var fields = FieldReader(nullMeans: .absent)
        switch leaf {
        case .x, .y:
            // Half a position moves nobody: they come one after the other.
            guard robot.isNew == [.x, .y] else { return .ignored(reason: "half-a-position", id: id) }
            _ = remember(id) { $0.isNew = [] }
            report.position = try Self.position(robot)
            report.heading = Self.heading(robot, &fields)
        case .theta:
            report.heading = Self.heading(robot, &fields)
            report.isHeadingOnPlan = true
        case .charge: report.charge = fields.charge(.string(text), scale: input.settings.chargeScale)
        case .phase, .cycle, .error: Self.mission(robot, &report, &fields)
        case .state:
            guard text != "None" else { return .ignored(reason: "nothing-for-us", id: id) }
            report.state = Self.word(text, &fields)
        case .name: report.name = fields.text(.string(text), "name")
        case .binFull, .binPresent: Self.bin(robot, &report)
        }
        report.faults = fields.faults
        return report.isEmpty ? .ignored(reason: "nothing-for-us", id: id) : .report(report)
    }

    /// The relay's own words for the phases.
    private static func word(_ text: String, _ fields: inout FieldReader) -> Reading<String> {
        switch text.lowercased() {
        case "charging", "recharging": return .value("charging")
        case "new mission", "running": return .value("cleaning")
        case "stuck": return .value("error")
        case "user docking", "docking", "docking - end mission", "end mission": return .value("returning")
        case "cancelled", "stopped": return .value("idle")
        case "paused": return .value("paused")
        default:
            fields.fault("state-not-in-table")
            return .unknown
        }
    }

    // MARK: Fields

    private func describe(_ robot: Robot, _ report: inout Report, _ fields: inout FieldReader) {
        report.heading = Self.heading(robot, &fields)
        report.isHeadingOnPlan = true
        report.charge = fields.charge(robot.leaves[.charge], scale: input.settings.chargeScale)
        report.name = fields.text(robot.leaves[.name], "name")
        Self.mission(robot, &report, &fields)
        Self.bin(robot, &report)
    }

    private static func heading(_ robot: Robot, _ fields: inout FieldReader) -> Reading<Double> {
        fields.number(robot.leaves[.theta], "heading").map(Heading.fromXAxis)
    }

    private static func mission(_ robot: Robot, _ report: inout Report, _ fields: inout FieldReader) {
        if let error = robot.leaves[.error] {
            let code = FieldReader.number(error)
            report.properties.append("error", code.map { $0 == 0 ? .null : .number($0) } ?? .null)
        }
        if let cycle = robot.leaves[.cycle]?.string, !cycle.isEmpty {
            report.properties.append("cycle", cycle == "none" ? .null : .string(cycle))
        }
        guard let phase = robot.leaves[.phase] else { return }
        let word = phase.string ?? ""
        let isUnderWay = robot.leaves[.cycle]?.string.map { $0 != "none" && !$0.isEmpty } ?? false
        let state: String? =
            switch word.lowercased() {
            case "charge", "recharge": "charging"
            case "run", "new", "resume": "cleaning"
            case "stuck", "chargingerror": "error"
            case "pause": "paused"
            case "stop": isUnderWay ? "paused" : "idle"
            case "hmusrdock", "hmmidmsn", "hmpostmsn": "returning"
            case "evac": "docked"
            default: nil
            }
        if state == nil, !word.isEmpty { fields.fault("state-not-in-table") }
        report.state = state.map { .value($0) } ?? .unknown
        report.charging = state.map { .value($0 == "charging") } ?? .absent
    }

    private static func bin(_ robot: Robot, _ report: inout Report) {
        var fields = FieldReader(nullMeans: .absent)
        for (leaf, key) in [(Leaf.binFull, "binFull"), (.binPresent, "binPresent")] {
            if let value = fields.boolean(robot.leaves[leaf], "bin").value {
                report.properties.append(key, .bool(value))
            }
        }
    }

    // MARK: Position reports

    private func positions(_ object: JSONObject, _ id: Identifier) throws(Rejection) -> Decoded {
        guard object["reportType"] == "current" else { return .ignored(reason: "other-report", id: id) }
        guard let data = object["data"]?.array else { throw Rejection(.missingPosition, at: "/data", "no data") }
        var reports: [Result<Report, Rejection>] = []
        for (index, part) in data.enumerated() {
            let map = part.object?["pmap_id"]?.string
            for (number, point) in (part.object?["coords"]?.array ?? []).enumerated() {
                do throws(Rejection) {
                    reports.append(
                        .success(try position(point.object, id, map, at: "/data/\(index)/coords/\(number)")))
                } catch {
                    reports.append(.failure(error))
                }
            }
        }
        return reports.isEmpty ? .ignored(reason: "no-position", id: id) : .reports(reports)
    }

    private func position(
        _ point: JSONObject?, _ id: Identifier, _ map: String?, at pointer: String
    ) throws(Rejection) -> Report {
        guard let point, let xyt = point["xyt"]?.array, xyt.count >= 2 else {
            throw Rejection(.missingPosition, at: "\(pointer)/xyt", "a point without a place")
        }
        var report = Report(id: id)
        report.stream = Stream.report
        report.position = try PositionReader.plan(
            x: xyt[0], y: xyt[1], map: map, at: ("\(pointer)/xyt/0", "\(pointer)/xyt/1"))
        var fields = FieldReader(nullMeans: .absent)
        report.heading = fields.radians(xyt.count > 2 ? xyt[2] : nil)
        input.stamp(&report, point["ts"], &fields)
        report.faults = fields.faults
        return report
    }
}
