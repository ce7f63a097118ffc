import JSON
import Timestamps
import Wording

/// What a simulated device can be told while it runs, by MQTT or by a schedule.
struct DeviceCommand: Sendable, Hashable {
    enum Action: Sendable, Hashable {
        /// Publishes again.
        case start
        /// Publishes nothing, and lives on.
        case stop
        /// Stays where it is, and keeps publishing that.
        case stationary
        /// Does not know where it is.
        case positionLost
        /// Goes home and stays there.
        case dock
        /// Undoes `stationary`, `positionLost`, `dock` and `disconnect`.
        case resume
        /// Lives so many times as fast.
        case speed(Double)
        /// Publishes at another rhythm.
        case interval(Duration)
        /// Leaves the broker, with DISCONNECT or without.
        case disconnect(graceful: Bool)
    }

    var action: Action
    /// After so long it is undone by itself; `nil`: never.
    var duration: Duration?

    /// Why something is no command. Nothing of it is done.
    struct Fault: Error, Hashable, CustomStringConvertible {
        /// The member that is wrong; `nil` for the whole.
        var key: String?
        var message: String

        var description: String { key.map { "\"\($0)\": \(message)" } ?? message }
    }

    static let names = [
        "start", "stop", "stationary", "positionLost", "dock", "resume", "speed", "interval", "disconnect",
    ]
    static let speeds = 0.01...100.0
    static let shortestInterval = Duration.milliseconds(10)
    private static let largestPayload = 4_096

    init(_ action: Action, for duration: Duration? = nil) {
        self.action = action
        self.duration = duration
    }

    /// Reads `{"command":"positionLost","for":"10s"}`.
    init(_ payload: [UInt8]) throws(Fault) {
        guard payload.count <= Self.largestPayload else {
            throw Fault(message: "\(payload.count) bytes are more than the \(Self.largestPayload) of a command")
        }
        let value: JSONValue
        do {
            value = try JSONParser().parse(payload)
        } catch {
            throw Fault(message: "no JSON: \(error.detail)")
        }
        guard let object = value.object else {
            throw Fault(message: #"expected an object such as {"command":"stop","for":"10s"}"#)
        }
        try self.init(object)
    }

    /// - Parameter others: Members that mean something to the caller.
    init(_ object: JSONObject, besides others: Set<String> = []) throws(Fault) {
        guard let value = object["command"] else { throw Fault(message: "the member \"command\" is missing") }
        guard let name = value.string, Self.names.contains(name) else {
            let hint = value.string.flatMap { Suggestion.closest(to: $0, among: Self.names) }
            throw Fault(
                key: "command",
                message: "\(value.text) is none of \(Self.names.joined(separator: ", "))"
                    + (hint.map { "; did you mean \"\($0)\"?" } ?? ""))
        }
        var members = Members(object: object, known: others.union(["command"]))
        action = try Self.action(name, &members)
        let isLasting = action != .start && action != .resume
        duration = isLasting ? try members.duration("for", atLeast: .milliseconds(1)) : nil
        try members.refuseOthers(of: name)
    }

    private static func action(_ name: String, _ members: inout Members) throws(Fault) -> Action {
        switch name {
        case "start": return .start
        case "stop": return .stop
        case "stationary": return .stationary
        case "positionLost": return .positionLost
        case "dock": return .dock
        case "resume": return .resume
        case "speed": return .speed(try members.number("factor", in: speeds))
        case "interval":
            guard let interval = try members.duration("interval", atLeast: shortestInterval) else {
                throw Fault(message: #"the member "interval" is missing, such as "1s""#)
            }
            return .interval(interval)
        default: return .disconnect(graceful: try members.bool("graceful") ?? true)
        }
    }
}

/// The members of a command, of which none may be left over.
private struct Members {
    let object: JSONObject
    var known: Set<String>

    mutating func number(_ key: String, in range: ClosedRange<Double>) throws(DeviceCommand.Fault) -> Double {
        known.insert(key)
        guard let value = object[key] else {
            throw DeviceCommand.Fault(message: "the member \"\(key)\" is missing, a number")
        }
        guard case .number(let number) = value, range.contains(number) else {
            throw DeviceCommand.Fault(
                key: key, message: "\(value.text) is not a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    mutating func bool(_ key: String) throws(DeviceCommand.Fault) -> Bool? {
        known.insert(key)
        guard let value = object[key] else { return nil }
        guard case .bool(let bool) = value else {
            throw DeviceCommand.Fault(key: key, message: "\(value.text) is neither true nor false")
        }
        return bool
    }

    mutating func duration(_ key: String, atLeast minimum: Duration) throws(DeviceCommand.Fault) -> Duration? {
        known.insert(key)
        guard let value = object[key] else { return nil }
        guard let text = value.string else {
            throw DeviceCommand.Fault(key: key, message: "\(value.text) is not a duration; write \"10s\"")
        }
        do throws(Duration.SyntaxError) {
            let duration = try Duration(text: text)
            if duration >= minimum { return duration }
        } catch {
            throw DeviceCommand.Fault(key: key, message: "\(value.text) \(error.message)")
        }
        throw DeviceCommand.Fault(key: key, message: "\(value.text) is less than \(minimum.text)")
    }

    func refuseOthers(of command: String) throws(DeviceCommand.Fault) {
        for member in object.members where !known.contains(member.key) {
            throw DeviceCommand.Fault(key: member.key, message: "means nothing to \(command)")
        }
    }
}
