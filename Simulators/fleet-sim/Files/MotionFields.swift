import Geometry
import JSON
import MotionModels
import SettingsFile
import YAML

extension ValueKind where Value == any FleetMotion {
    /// A name, `walk`, or a mapping: `{kind: walk, radius: 20}`.
    static var motion: ValueKind {
        ValueKind(schema: ["anyOf": [["enum": .array(MotionFields.names.map { .string($0) })], MotionFields.schema]]) {
            node, context in
            if node.mapping == nil {
                return ValueKind<String>.word(of: MotionFields.names).read(node, context).flatMap {
                    MotionFields.make($0, node, context)
                }
            }
            guard let kind = node.member("kind") else {
                context.error(
                    node, "the setting \"kind\" is missing, one of \(MotionFields.names.joined(separator: ", "))")
                return nil
            }
            return ValueKind<String>.word(of: MotionFields.names).read(kind, context.entering("kind")).flatMap {
                MotionFields.make($0, node, context)
            }
        }
    }
}

/// The settings of each motion in a file.
private struct MotionFields {
    var kind = ""
    var base: Position?
    var radius: Double?
    var room: [Position]?
    var dock: Position?
    var laneWidth: Double?
    var speed: Double?
    var file: (name: String, node: YAMLNode)?
    var speedFactor = 1.0
    var loops = false
    var pointInterval: Duration?
    var end = RouteMotion.End.stop

    static let names = MotionKind.all.map(\.name)

    static var schema: JSONValue { ["anyOf": .array(names.map { mapping($0).schema })] }

    static func make(_ name: String, _ node: YAMLNode, _ context: Context) -> (any FleetMotion)? {
        var fields = MotionFields()
        if node.mapping != nil { mapping(name).read(node, into: &fields, context) }
        return fields.motion(name, node, context)
    }

    private func motion(_ name: String, _ node: YAMLNode, _ context: Context) -> (any FleetMotion)? {
        switch name {
        case "walk":
            var motion = WalkFleetMotion()
            if let base { motion.settings.base = base }
            if let radius { motion.settings.radius = radius }
            return motion
        case "clean":
            var motion = CleanFleetMotion()
            if let room { motion.settings.room = room }
            if let laneWidth { motion.settings.laneWidth = laneWidth }
            if let speed { motion.settings.speed = speed }
            motion.dock = dock
            if motion.isPossible { return motion }
            context.entering("room").error(node.member("room") ?? node, Self.fault(of: motion.settings.room))
            return nil
        case "gpx", "route":
            guard let file else {
                context.error(node, "\(name) needs a file: {kind: \(name), file: NAME}")
                return nil
            }
            let path = context.path(ofFile: file.name)
            guard name == "gpx" else {
                var motion = RouteFleetMotion(path: path)
                (motion.speed, motion.end) = (speed ?? 1, end)
                return motion
            }
            var motion = GPXFleetMotion(path: path)
            (motion.speedFactor, motion.loops, motion.pointInterval) = (speedFactor, loops, pointInterval)
            return motion
        default:
            var motion = RandomFleetMotion()
            if let base { motion.settings.base = base }
            if let radius { motion.settings.radius = radius }
            return motion
        }
    }

    private static func fault(of room: [Position]) -> String {
        guard case .touchesItself(_, let edge, let other)? = CleaningMotion.fault(of: room) else {
            return "these corners are no room: at least three, not on one line, and no more than 2000 lanes wide"
        }
        func wall(_ edge: Int) -> String { "from corner \(edge + 1) to \((edge + 1) % room.count + 1)" }
        return "the room crosses itself: the walls \(wall(edge)) and \(wall(other)) meet"
    }

    private static func mapping(_ name: String) -> Mapping<MotionFields> {
        let metres = { (what: String, range: ClosedRange<Double>) in
            ValueKind<Double>.number("\(what) from \(range.lowerBound) to \(range.upperBound)", in: range)
        }
        let kind = Field<MotionFields>("kind", .word(of: [name]), \.kind, "Which motion this is.", required: true)
        let base = Field<MotionFields>("base", .position, \.base, "The middle of the area, [latitude, longitude].")
        let radius = Field<MotionFields>(
            "radius", metres("metres", 0.1...100_000), \.radius, "Metres around it; 30 by default.")
        let speed = Field<MotionFields>("speed", metres("metres a second", 0.001...1_000), \.speed, "Metres a second.")
        let file = Field<MotionFields>("file", .text, "The file's name, from where this file is.") {
            fields, name, node in
            fields.file = (name, node)
        }
        let own: [Field<MotionFields>] =
            switch name {
            case "clean":
                [
                    Field("room", .list(of: .position, atLeast: 3), "Its corners, each [latitude, longitude].") {
                        fields, corners, _ in fields.room = corners.map(\.value)
                    },
                    Field("dock", .position, \.dock, "Where all charge; by default each where it begins."),
                    Field(
                        "laneWidth", metres("metres", 0.05...100), \.laneWidth,
                        "Metres from lane to lane; 0.3 by default."),
                    speed,
                ]
            case "gpx":
                [
                    file,
                    Field(
                        "speedFactor", metres("a factor", 0.001...1_000_000), \.speedFactor,
                        "How many times faster than recorded."),
                    Field("loop", .bool, \.loops, "Begin anew at the end, rather than leave."),
                    Field(
                        "pointInterval", .duration(in: .milliseconds(1) ... .longest), \.pointInterval,
                        "A point each, whatever their times say."),
                ]
            case "route":
                [file, speed, Field("end", .choice, \.end, "What happens at its end: stop, loop or reverse.")]
            default: [base, radius]
            }
        return Mapping(fields: [kind] + own)
    }
}

extension Field {
    fileprivate init<Value>(
        _ key: String, _ kind: ValueKind<Value>, _ path: WritableKeyPath<Target, Value>, _ summary: String,
        required: Bool
    ) {
        self.init(key, kind, summary, required: required) { target, value, _ in target[keyPath: path] = value }
    }
}

extension ValueKind where Value == Position {
    /// `[57.0582502, 9.9504788]`.
    static var position: ValueKind {
        let schema: JSONValue = ["type": "array", "items": ["type": "number"], "minItems": 2, "maxItems": 2]
        return ValueKind(schema: schema) { node, context in
            let numbers = node.sequence?.map { $0.scalar?.coreValue.double ?? .nan } ?? []
            guard numbers.count == 2, let position = Position(latitude: numbers[0], longitude: numbers[1]) else {
                context.expected("a place: [latitude, longitude] in degrees", node)
                return nil
            }
            return position
        }
    }
}
