import CommandLineTool
import MotionModels
import Wording

extension RunCommand {
    static func run(_ arguments: Arguments) throws -> ExitCode {
        let access = try BrokerAccess(
            address: arguments[broker], username: arguments[username], passwordFile: arguments[passwordFile],
            caFile: arguments[caFile])
        var plans: [FleetPlan]
        var file: FleetsFile?
        if let path = arguments[config] {
            try refuseFleetOptions(arguments)
            let outcome = FleetsFile.read(path)
            for diagnostic in outcome.diagnostics { Output.standardError.write("\(diagnostic)\n") }
            guard outcome.file != nil else { return .configuration }
            (file, plans) = (outcome.file, outcome.plans)
        } else {
            plans = [try plan(arguments)]
            plans[0].motion = try plans[0].motion.prepared { warning in
                Output.standardError.write("fleet-sim: \(Escape.text(warning))\n")
            }
        }
        if arguments[oracle] != nil, !plans.allSatisfy({ $0.format.name == SimulatedFormat.native.name }) {
            throw UsageError("--oracle knows the rules of the format native alone")
        }
        try FileDescriptorLimit.raise(for: plans.reduce(0) { $0 + $1.connections.count(devices: $1.count) })
        return try FleetRun(
            FleetRun.Settings(
                broker: access, plans: plans, end: arguments[end] ?? file?.end,
                seed: arguments[seed] ?? file?.seed ?? UInt64.random(in: 0...999_999), oracle: arguments[oracle])
        ).run()
    }

    /// What the options say of the devices.
    static func plan(_ arguments: Arguments) throws(UsageError) -> FleetPlan {
        let name = arguments[format]
        var plan = FleetPlan(
            format: SimulatedFormat.all.first { $0.name == name } ?? .native, motion: try motion(arguments),
            source: arguments[source], count: arguments.has(count) ? arguments[count] : nil, map: arguments[map],
            interval: arguments[interval])
        plan.connections = arguments[connections]
        plan.faults = arguments[faults]
        try plan.dropImpossibleFaults()
        return plan
    }

    /// An option that would do nothing is a slip: the file says all of the devices.
    private static func refuseFleetOptions(_ arguments: Arguments) throws(UsageError) {
        let given = [
            (source.name, arguments.has(source)), (count.name, arguments.has(count)),
            (motion.name, arguments.has(motion)), (speedFactor.name, arguments.has(speedFactor)),
            (loop.name, arguments.has(loop)), (pointInterval.name, arguments.has(pointInterval)),
            (speed.name, arguments.has(speed)), (routeEnd.name, arguments.has(routeEnd)),
            (format.name, arguments.has(format)), (map.name, arguments.has(map)),
            (interval.name, arguments.has(interval)), (connections.name, arguments.has(connections)),
            (faults.name, arguments.has(faults)),
        ]
        for (name, isGiven) in given where isGiven {
            throw UsageError("--\(name) is for one fleet; with --config it stands in the file")
        }
    }

    /// The motion with its options. One that would do nothing is a slip.
    private static func motion(_ arguments: Arguments) throws(UsageError) -> any FleetMotion {
        let motion = arguments[motion]
        let ofTracks = [
            ("speed-factor", arguments.has(speedFactor)), ("loop", arguments.has(loop)),
            ("point-interval", arguments.has(pointInterval)),
        ]
        for (name, isGiven) in ofTracks where isGiven && !(motion is GPXFleetMotion) {
            throw UsageError("--\(name) is for --motion gpx FILE")
        }
        for (name, isGiven) in [("speed", arguments.has(speed)), ("end", arguments.has(routeEnd))]
        where isGiven && !(motion is RouteFleetMotion) {
            throw UsageError("--\(name) is for --motion route FILE")
        }
        if var track = motion as? GPXFleetMotion {
            track.speedFactor = arguments[speedFactor]
            track.loops = arguments[loop]
            track.pointInterval = arguments[pointInterval]
            track.isSampled = arguments.has(interval)
            return track
        }
        if var route = motion as? RouteFleetMotion {
            route.speed = arguments[speed]
            route.end = RouteMotion.End(rawValue: arguments[routeEnd]) ?? .stop
            return route
        }
        return motion
    }
}
