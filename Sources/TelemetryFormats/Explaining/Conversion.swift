internal import Foundation

/// What a decoder does to a number, worked out from what it made of several.
enum Conversion: Equatable {
    /// The unit and zero that were converted from.
    case from(String)
    case factor(Double)
    /// Not in proportion, or together with other values.
    case computed

    /// A number in the message, and what a field became of it.
    struct Sample {
        var input: Double
        var output: Double
    }

    /// - Parameters:
    ///   - field: Of the report.
    ///   - input: The number that stands in the message.
    ///   - samples: Of this number and of others; those nearest to it count, where they are near.
    /// - Returns: `nil` where the number is taken as it is, or too little is known.
    init?(_ field: String, of input: Double, _ samples: [Sample]) {
        let near = samples.filter { abs($0.input - input) < 0.5 }
        let used = (near.count > 1 ? near : samples).sorted { $0.input < $1.input }
        let isAngle = field == "heading"
        let slopes = zip(used, used.dropFirst()).filter { $0.input != $1.input }.map { a, b in
            let rise = b.output - a.output
            return (isAngle ? remainder(rise, 360) : rise) / (b.input - a.input)
        }
        guard let slope = slopes.first, let first = used.first else { return nil }
        guard slopes.allSatisfy({ Self.isNear($0, slope) }) else {
            self = .computed
            return
        }
        let zero = first.output - slope * first.input
        if isAngle {
            guard let name = Self.angle(slope, zero: zero) else { return nil }
            self = .from(name)
        } else if let unit = Self.units(of: field).first(where: { Self.isNear(slope, $0.factor) }) {
            self = .from(unit.name)
        } else if Self.isNear(slope, 1), abs(zero) < 1e-6 {
            return nil
        } else {
            self = abs(zero) < 1e-6 * max(1, abs(first.output)) ? .factor(slope) : .computed
        }
    }

    var text: String {
        switch self {
        case .from(let unit): unit
        case .factor(let factor): "× \((factor * 1e9).rounded() / 1e9)"
        case .computed: "computed"
        }
    }

    /// Within what differences of times in microseconds can be known by.
    private static func isNear(_ a: Double, _ b: Double) -> Bool { abs(a - b) <= 1e-3 * abs(b) }

    private static let lengths = [
        (factor: 0.01, name: "centimetres"), (-0.01, "centimetres, downwards"), (0.001, "millimetres"),
        (-0.001, "millimetres, downwards"), (-1, "metres, downwards"), (0.3048, "feet"), (10, "decametres"),
    ]

    private static func units(of field: String) -> [(factor: Double, name: String)] {
        switch field {
        case "lat", "lon":
            [
                (1e-7, "1e-7 degrees"), (1e-6, "1e-6 degrees"), (1e-5, "1e-5 degrees"),
                (1.0 / 60, "degrees and minutes"), (-1.0 / 60, "degrees and minutes"),
            ]
        case "x", "y", "altitude", "accuracy": lengths
        case "speed":
            [
                (1 / 3.6, "km/h"), (1_852.0 / 3_600, "knots"), (0.44704, "miles an hour"), (0.01, "cm/s"),
                (0.001, "mm/s"),
            ]
        case "charge": [(100, "fraction")]
        case "time", "positionTime":
            [(1e6, "Unix seconds"), (1e3, "Unix milliseconds"), (1, "Unix microseconds")]
        default: []
        }
    }

    /// - Returns: `nil` for degrees clockwise from north, or from the plan's y axis.
    private static func angle(_ slope: Double, zero: Double) -> String? {
        let units = [
            (180 / Double.pi, "radians"), (1, "degrees"), (1e-5, "1e-5 degrees"), (0.01, "1/100 degrees"),
            (10, "tens of degrees"),
        ]
        guard let unit = units.first(where: { isNear(abs(slope), $0.0) }) else { return "× \(slope)" }
        let direction = slope < 0 ? "anticlockwise" : "clockwise"
        let north = remainder(zero, 360)
        let axis = abs(north) < 0.01 ? "" : abs(north - 90) < 0.01 ? " from x" : " with zero at \(north)°"
        return slope > 0 && unit.1 == "degrees" && axis.isEmpty ? nil : "\(unit.1) \(direction)\(axis)"
    }
}
