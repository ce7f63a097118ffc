import CommandLineTool
import Geometry
import Randomness
import Wording

/// How the devices of a fleet move, and what they are.
protocol FleetMotion: Sendable {
    /// How many there are where nobody says.
    var usualCount: Int { get }
    /// What such devices are, where that does not depend on their format.
    var kind: SimulatedFormat.Kind? { get }
    /// The level above the device in the topics, where neither anybody nor a format other than native has chosen another.
    var source: String? { get }

    /// Whether devices tell when their time comes, rather than at the fleet's interval.
    var hasOwnPace: Bool { get }
    /// Where the plan of such devices has its origin; `nil`: at the tutorial's.
    var origin: Position? { get }

    /// The same with what its files say. Called once, before any device is made.
    ///
    /// - Parameter warn: Told of what is not quite right and does not matter.
    func prepared(warn: (String) -> Void) throws -> any FleetMotion

    func device(_ seat: DeviceSeat) -> any SimulatedDevice
}

extension FleetMotion {
    var hasOwnPace: Bool { false }
    var origin: Position? { nil }
    func prepared(warn: (String) -> Void) -> any FleetMotion { self }
    var usualCount: Int { 16 }
    var kind: SimulatedFormat.Kind? { nil }
    var source: String? { nil }
}

/// A device's place in its fleet.
struct DeviceSeat: Sendable {
    var source: String
    /// From 0.
    var number: Int
    /// How many devices there are.
    var count: Int
    var kind: SimulatedFormat.Kind
    var building: String
    /// The device's own numbers.
    var random: SeededRandom

    func identity(dock: Position? = nil) -> DeviceIdentity {
        DeviceIdentity(
            source: source, id: "\(kind.stem)\(number)", name: "\(kind.name)\(number)", type: kind.type,
            building: building, floor: kind.floors.isEmpty ? 0 : kind.floors[number % kind.floors.count], dock: dock)
    }
}

extension DeviceSeat {
    /// A device outside of any building.
    func outside(at start: Position?) -> DeviceIdentity {
        var identity = identity(dock: start)
        (identity.building, identity.floor) = ("", 0)
        return identity
    }
}

/// One row of the table of motions that the command line and files know by name.
struct MotionKind: Sendable {
    var name: String
    /// What follows the name on the command line: `FILE`; `nil`: nothing.
    var placeholder: String?
    var summary: String
    /// Takes what follows the name off the front.
    var parse: @Sendable (_ words: inout ArraySlice<String>) throws(UsageError) -> any FleetMotion

    static let all = [
        MotionKind(name: "random", summary: "robot vacuums within 30 m of their base, which charge at their docks") {
            _ throws(UsageError) in RandomFleetMotion()
        },
        MotionKind(name: "walk", summary: "people, 100 by default: steps of half a metre, gentle turns") {
            _ throws(UsageError) in WalkFleetMotion()
        },
        MotionKind(name: "clean", summary: "robot vacuums that cover a room in lanes and charge at their docks") {
            _ throws(UsageError) in CleanFleetMotion()
        },
        MotionKind(name: "gpx", placeholder: "FILE", summary: "a device that replays the tracks of a GPX file") {
            words throws(UsageError) in GPXFleetMotion(path: try file("gpx", &words))
        },
        MotionKind(name: "route", placeholder: "FILE", summary: "a device that goes along a GPX or GeoJSON line") {
            words throws(UsageError) in RouteFleetMotion(path: try file("route", &words))
        },
    ]

    private static func file(_ name: String, _ words: inout ArraySlice<String>) throws(UsageError) -> String {
        guard let file = words.popFirst(), !file.isEmpty else {
            throw UsageError("'\(name)' needs a file: \(name) FILE")
        }
        return file
    }
}

extension ValueParser where Value == any FleetMotion {
    /// A motion's name and what belongs to it.
    static var motion: ValueParser {
        ValueParser { words throws(UsageError) in
            guard let name = words.popFirst() else { throw UsageError("a value is missing") }
            guard let kind = MotionKind.all.first(where: { $0.name == name }) else {
                let names = MotionKind.all.map(\.name)
                let hint = Suggestion.closest(to: name, among: names).map { "; did you mean \($0)?" } ?? ""
                throw UsageError("'\(Escape.text(name))' is none of \(names.joined(separator: ", "))\(hint)")
            }
            return try kind.parse(&words)
        }
    }
}

extension ValueParser where Value == Double {
    /// A decimal number.
    static func decimal(in range: ClosedRange<Double>) -> ValueParser {
        word { text throws(UsageError) in
            // Swift reads hexadecimal and names, too.
            let isPlain = text.utf8.allSatisfy { $0 &- 48 <= 9 || $0 == UInt8(ascii: ".") }
            if isPlain, let value = Double(text), range.contains(value) { return value }
            throw UsageError("'\(Escape.text(text))' is not a number from \(range.lowerBound) to \(range.upperBound)")
        }
    }
}
