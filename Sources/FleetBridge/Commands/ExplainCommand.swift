internal import CommandLineTool
internal import Configuration
internal import DisplayRules
internal import JSON
internal import Locations
import SettingsFile
internal import Wording

/// `fleet-bridge explain`
enum ExplainCommand {
    private static let location = Option(
        "location", "LOCATION.json", .text, help: "A styled state, or some of its fields; - is standard input")
    private static let property = Option("property", "NAME", .text, help: "Only this display property")
    private static let json = Option.flag("json", help: "One JSON object, for programs")

    static func command(_ own: OwnSources) -> Command {
        Command(
            "explain", summary: "Show which rules make a location look as it does, and why",
            operands: Operands(placeholder: "FILE", count: 1...1), options: [location, property, json]
        ) { arguments in
            guard let path = arguments[location] else { throw UsageError("--location is missing") }
            let name = arguments[property]
            if let name, DisplayProperty.named(name) == nil {
                let known = DisplayProperty.known.map(\.name)
                let hint = Suggestion.closest(to: name, among: known).map { "; did you mean \($0)?" } ?? ""
                throw UsageError("unknown display property '\(Escape.text(name))'\(hint)")
            }
            guard let configuration = own.configuration(arguments.operands[0]) else { return .configuration }
            let subject = try read(path)
            var explanation = Explanation(of: subject, by: configuration.engine.displayRules)
            if let name {
                explanation = explanation.only(name)
                if explanation.properties.isEmpty, !arguments[json] {
                    try Output.standardOutput.print("\(name) is set by no rule\n")
                    return .success
                }
            }
            try show(subject, explanation, asJSON: arguments[json])
            return .success
        }
    }

    private static func show(_ location: Location, _ explanation: Explanation, asJSON: Bool) throws(OutputFailure) {
        if asJSON {
            try Output.standardOutput.print(explanation.json(of: location).text + "\n")
        } else {
            let lines = ["\(location.displayName) (source \(location.source))", ""] + explanation.lines
            try Output.standardOutput.print(lines.map { Escape.text($0) + "\n" }.joined())
        }
    }

    private static func read(_ path: String) throws -> Location {
        let bytes: [UInt8]
        switch Surroundings.system.read(path == "-" ? "/dev/stdin" : path) {
        case .success(let file): bytes = file.bytes
        case .failure(let error): throw Fault(path: path, message: "cannot be read: \(error.message)")
        }
        do {
            return try Location(styledState: JSONParser().parse(bytes), now: SystemClock.now().wall)
        } catch let error as JSONError {
            throw Fault(path: path, message: error.detail)
        } catch let error as LocationFault {
            let place = error.path.isEmpty ? "" : "/\(error.path.joined(separator: "/")): "
            let hint = error.unknownKey.flatMap { Suggestion.closest(to: $0, among: Location.readKeys) }
            throw Fault(path: path, message: place + error.message + (hint.map { "; did you mean \"\($0)\"?" } ?? ""))
        }
    }

    private struct Fault: Error, CustomStringConvertible {
        var path: String
        var message: String
        var description: String { "\(path): \(message)" }
    }
}
