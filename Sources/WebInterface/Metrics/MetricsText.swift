/// Figures in the text format of Prometheus (version 0.0.4).
struct MetricsText {
    enum Kind: String { case counter, gauge }

    private(set) var text = ""

    /// A figure without labels.
    mutating func add(_ name: String, _ kind: Kind, _ help: String, _ value: Double) {
        add(name, kind, help, [([], value)])
    }

    /// A figure with labels; without any values, nothing.
    mutating func add(
        _ name: String, _ kind: Kind, _ help: String, _ values: [(labels: [(String, String)], value: Double)]
    ) {
        guard !values.isEmpty else { return }
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
        for (labels, value) in values {
            text += name
            if !labels.isEmpty {
                text += "{" + labels.map { "\($0)=\"\(Self.escape($1))\"" }.joined(separator: ",") + "}"
            }
            text += " \(Self.number(value))\n"
        }
    }

    private static func escape(_ label: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in label.unicodeScalars {
            switch scalar {
            case "\\": result.append(contentsOf: #"\\"#.unicodeScalars)
            case "\"": result.append(contentsOf: #"\""#.unicodeScalars)
            case "\n": result.append(contentsOf: #"\n"#.unicodeScalars)
            default: result.append(scalar)
            }
        }
        return String(result)
    }

    private static func number(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : "\(value)"
    }
}
