import JSON
import MQTTModel
import MotionModels
import Randomness
import Timestamps

/// The faults of one device. Every kind has random numbers of its own, so that one more of them does not change the others.
struct FaultInjector: Sendable {
    /// How often each kind happened.
    private(set) var counts: [FaultKind: Int] = [:]

    private let settings: FaultSettings
    private let fields: PayloadFields?
    private var random: [FaultKind: SeededRandom] = [:]
    /// How wrong the device's clock is.
    private var skew = Duration.zero
    private var stuck: (place: MotionState, left: Int)?
    /// Waits for the next message, which it lets pass.
    private var overtaken: Message?
    private var delayed: [(time: Duration, message: Message)] = []

    private static let stuckReadings = 20
    private static let longestDelay = 3.0, largestSkew = 30.0
    private static let future = Duration.seconds(3_600)
    static let cutsOfStorm = 5

    /// - Parameter fields: Of the device's format; what it does not allow never happens.
    init(_ settings: FaultSettings, fields: PayloadFields?, seed: UInt64, device: Int) {
        self.settings = settings
        self.fields = fields
        for (index, kind) in FaultKind.allCases.enumerated() where settings.probabilities[kind] != nil {
            random[kind] = SeededRandom(seed: seed, stream: device * 64 + index)
        }
        if happens(.clockSkew) { skew = .seconds(uniform(.clockSkew, in: -Self.largestSkew...Self.largestSkew)) }
    }

    var isEmpty: Bool { settings.isEmpty }

    private mutating func happens(_ kind: FaultKind) -> Bool {
        guard let probability = settings.probabilities[kind] else { return false }
        guard uniform(kind, in: 0...1) < probability else { return false }
        counts[kind, default: 0] += 1
        return true
    }

    private mutating func uniform(_ kind: FaultKind, in range: ClosedRange<Double>) -> Double {
        random[kind]?.uniform(in: range) ?? range.lowerBound
    }

    // MARK: The device

    /// What the device believes of its place and of the time.
    mutating func distort(_ reading: inout Reading, _ time: inout Timestamp) {
        if isEmpty { return }
        time = time.advanced(by: skew)
        if happens(.futureClock) { time = time.advanced(by: Self.future) }
        if let (place, left) = stuck {
            if reading.motion.position != nil { reading.motion.position = place.position }
            stuck = left > 1 ? (place, left - 1) : nil
        } else if reading.motion.position != nil, happens(.stuckPosition) {
            stuck = (reading.motion, Self.stuckReadings)
        }
    }

    /// How many times the connection is cut now; mostly 0.
    mutating func storm() -> Int { happens(.willStorm) ? Self.cutsOfStorm : 0 }

    // MARK: The payload

    mutating func tamper(_ messages: inout [Message]) {
        if isEmpty { return }
        for index in messages.indices {
            if let fields { spoil(&messages[index], fields) }
            if happens(.garbage) { messages[index].payload = garbage(of: messages[index].payload) }
        }
    }

    private mutating func spoil(_ message: inout Message, _ fields: PayloadFields) {
        // All are drawn, whether or not the message has such a member.
        let kinds = FaultKind.allCases.filter { $0.isOfPayload && fields.allows($0) && happens($0) }
        guard !kinds.isEmpty, var json = try? JSONParser().parse(message.payload) else { return }
        let marker = JSONValue.string("NaN")
        for kind in kinds {
            switch kind {
            case .missingFloor: _ = json.change(at: fields.floor?[...] ?? []) { _ in nil }
            case .nan: _ = json.change(at: fields.coordinates[0][...]) { _ in marker }
            default:
                for path in fields.coordinates {
                    _ = json.change(at: path[...]) {
                        $0.number.map { .number(($0 * fields.otherUnit).rounded()) } ?? $0
                    }
                }
            }
        }
        message.payload = Array(json.text.replacing(marker.text, with: "NaN").utf8)
    }

    /// Half of the payload, or bytes that are no UTF-8. Never empty: that would withdraw the device.
    private mutating func garbage(of payload: [UInt8]) -> [UInt8] {
        if payload.count > 1, uniform(.garbage, in: 0...1) < 0.5 { return Array(payload.prefix(payload.count / 2)) }
        let count = Int(uniform(.garbage, in: 1...40))
        return [0xFF] + (0..<count).map { _ in UInt8(uniform(.garbage, in: 0...255)) }
    }

    // MARK: The network

    /// What of some messages comes to the broker now, and in which order.
    mutating func pass(_ messages: [Message], at now: Duration) -> [Message] {
        if isEmpty { return messages }
        var result: [Message] = []
        for message in messages {
            if happens(.drop) { continue }
            if happens(.delay) {
                let delay = Duration.seconds(uniform(.delay, in: 0...Self.longestDelay))
                delayed.append((now + delay, message))
                continue
            }
            if overtaken == nil, happens(.reorder) {
                overtaken = message
                continue
            }
            result.append(message)
            if happens(.duplicate) { result.append(message) }
            if let late = overtaken {
                result.append(late)
                overtaken = nil
            }
        }
        return result
    }

    /// When ``release(at:)`` has something.
    var due: Duration? { delayed.map(\.time).min() }

    /// What was delayed until now, in the order of the times.
    mutating func release(at now: Duration) -> [Message] {
        guard !delayed.isEmpty else { return [] }
        let ready = delayed.filter { $0.time <= now }.sorted { $0.time < $1.time }
        delayed.removeAll { $0.time <= now }
        return ready.map(\.message)
    }

    /// All that is held back: the device leaves.
    mutating func drain() -> [Message] {
        defer { (delayed, overtaken) = ([], nil) }
        return (overtaken.map { [$0] } ?? []) + delayed.sorted { $0.time < $1.time }.map(\.message)
    }
}
