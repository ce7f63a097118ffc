import CommandLineTool
import Wording

/// What can go wrong with a device, its clock, its firmware or its network.
enum FaultKind: String, CaseIterable, Sendable {
    case duplicate, reorder, drop, delay, clockSkew, futureClock, stuckPosition, wrongUnit, missingFloor, nan, garbage,
        willStorm

    /// How often it happens where nobody says otherwise: of each message, of each reading, or once for a device.
    var usualProbability: Double {
        switch self {
        case .willStorm: 0.005
        case .stuckPosition: 0.01
        case .clockSkew: 0.5
        default: 0.05
        }
    }

    /// For the help text and the documentation.
    var summary: String {
        switch self {
        case .duplicate: "a message comes twice"
        case .reorder: "a message comes after the next one"
        case .drop: "a message is lost"
        case .delay: "a message comes up to 3 s late"
        case .clockSkew: "a device's clock is up to 30 s wrong, all the time"
        case .futureClock: "a reading is dated an hour ahead"
        case .stuckPosition: "a moving device repeats its place for 20 readings"
        case .wrongUnit: "coordinates in another unit: 570582502 for 57.0582502"
        case .missingFloor: "a reading without the floor"
        case .nan: "a coordinate is NaN, which no JSON has"
        case .garbage: "bytes that mean nothing, or half a message"
        case .willStorm: "the connection is cut five times in a row"
        }
    }

    /// Whether it changes what stands in a payload, and so needs to know the format's members.
    var isOfPayload: Bool { self == .wrongUnit || self == .missingFloor || self == .nan }
}

/// Which faults happen, and how often.
struct FaultSettings: Sendable, Equatable {
    /// From 0 to 1.
    var probabilities: [FaultKind: Double] = [:]

    /// Whether all were asked for in one word: then those that a format cannot have are meant to be left out.
    var isEverything = false

    var isEmpty: Bool { probabilities.isEmpty }

    /// Every fault as often as usual.
    static var all: FaultSettings {
        FaultSettings(
            probabilities: Dictionary(uniqueKeysWithValues: FaultKind.allCases.map { ($0, $0.usualProbability) }),
            isEverything: true)
    }
}

extension ValueParser where Value == FaultSettings {
    /// `duplicate,drop:0.2`; `all` is every fault that the format can have.
    static var faults: ValueParser {
        word { text throws(UsageError) in
            var settings = FaultSettings()
            for part in text.split(separator: ",", omittingEmptySubsequences: false) {
                let words = part.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
                let kinds = try kinds(words[0])
                let probability = words.count > 1 ? Double(words[1]) : nil
                guard words.count == 1 || probability.map({ (0...1).contains($0) }) ?? false else {
                    throw UsageError("'\(Escape.text(String(part)))': a probability is a number from 0 to 1")
                }
                settings.isEverything = settings.isEverything || words[0] == "all"
                for kind in kinds { settings.probabilities[kind] = probability ?? kind.usualProbability }
            }
            return settings
        }
    }

    private static func kinds(_ name: String) throws(UsageError) -> [FaultKind] {
        if name == "all" { return FaultKind.allCases }
        if let kind = FaultKind(rawValue: name) { return [kind] }
        let names = FaultKind.allCases.map(\.rawValue)
        let hint = Suggestion.closest(to: name, among: names).map { "; did you mean \($0)?" } ?? ""
        throw UsageError("'\(Escape.text(name))' is none of all, \(names.joined(separator: ", "))\(hint)")
    }
}
