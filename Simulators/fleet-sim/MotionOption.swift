import CommandLineTool
import MotionModels
import Wording

/// What `--motion` says.
enum MotionOption: Sendable, Equatable {
    case model(Motion)
    /// Replays a GPX file's tracks.
    case gpx(String)
    /// Goes along a line at a constant speed.
    case route(String)

    var isTrack: Bool { if case .gpx = self { true } else { false } }
    var isRoute: Bool { if case .route = self { true } else { false } }
}

extension ValueParser where Value == MotionOption {
    /// `random`, or two words: `gpx FILE`, `route FILE`.
    static var motion: ValueParser {
        ValueParser { words throws(UsageError) in
            let names = Motion.allCases.map(\.rawValue) + ["gpx", "route"]
            guard let kind = words.popFirst() else { throw UsageError("a value is missing") }
            guard names.contains(kind) else {
                let hint = Suggestion.closest(to: kind, among: names).map { "; did you mean \($0)?" } ?? ""
                throw UsageError("'\(Escape.text(kind))' is none of \(names.joined(separator: ", "))\(hint)")
            }
            if let motion = Motion(rawValue: kind) { return .model(motion) }
            guard let file = words.popFirst(), !file.isEmpty else {
                throw UsageError("'\(kind)' needs a file: \(kind) FILE")
            }
            return kind == "gpx" ? .gpx(file) : .route(file)
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
