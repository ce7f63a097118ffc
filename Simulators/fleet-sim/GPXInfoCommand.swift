import CommandLineTool
import GPX
import JSON
import Timestamps
import Wording

/// `fleet-sim gpx info`: what a file comes to when it is replayed.
enum GPXInfoCommand {
    static let json = Option.flag("json", help: "Print an object, also for a file that is refused")

    static let command = Command(
        "gpx info", summary: "Tell what the replay of a GPX file comes to",
        operands: Operands(placeholder: "FILE", count: 1...1), options: [json],
        notes: "Ends with 1 for a file that cannot be replayed; standard error says why, with line and column.",
        run: { arguments in try run(path: arguments.operands[0], asJSON: arguments[json]) })

    static func run(
        path: String, asJSON: Bool, output: Output = .standardOutput, errors: Output = .standardError
    ) throws -> ExitCode {
        let survey = TrackSurvey(path: path)
        try output.print(asJSON ? object(survey).text + "\n" : text(survey))
        if let refusal = survey.refusal {
            errors.write("fleet-sim: \(Escape.text("\(refusal)"))\n")
            return .failure
        }
        if let cut = survey.cut { errors.write("fleet-sim: \(Escape.text(cutShort(cut)))\n") }
        return .success
    }

    /// A warning about a file whose end is missing or cannot be read.
    static func cutShort(_ cut: GPXError) -> String {
        "\(cut.file)\(cut.place.map { ":\($0)" } ?? ""): cut short, only what stands before this place is replayed (\(cut.detail))"
    }

    static func object(_ survey: TrackSurvey) -> JSONValue {
        var json: JSONObject = [
            "fileAccepted": .bool(survey.isAccepted), "trackPointsInFile": .number(Double(survey.trackPoints)),
            "replayablePoints": .number(Double(survey.replayable)), "segments": .number(Double(survey.segments)),
            "lostPositionGaps": .number(Double(survey.gaps)),
            "durationSeconds": .number(seconds(survey)),
            "rejected": .array(
                survey.rejected.map { ["points": .number(Double($0.count)), "reason": .string($0.reason.rawValue)] }),
        ]
        if survey.waypoints > 0 { json["ignoredWaypoints"] = .number(Double(survey.waypoints)) }
        if survey.routePoints > 0 { json["ignoredRoutePoints"] = .number(Double(survey.routePoints)) }
        return .object(json)
    }

    /// Exact where the duration is: a quotient of durations is not.
    private static func seconds(_ survey: TrackSurvey) -> Double { Double(survey.duration.microseconds) / 1e6 }

    static func text(_ survey: TrackSurvey) -> String {
        var lines = [
            "\(survey.file): \(survey.isAccepted ? "can be replayed" : "refused")",
            "  track points         \(survey.trackPoints)", "  replayable points    \(survey.replayable)",
            "  segments             \(survey.segments)", "  lost-position gaps   \(survey.gaps)",
            "  duration             \(JSONValue.number(seconds(survey)).text) s",
        ]
        for rejected in survey.rejected {
            let example = rejected.text.map { ", \($0)" } ?? ""
            lines.append(
                "  rejected             \(rejected.count): \(rejected.reason.rawValue) (first at \(rejected.place)\(example))"
            )
        }
        if survey.waypoints > 0 { lines.append("  ignored waypoints    \(survey.waypoints)") }
        if survey.routePoints > 0 { lines.append("  ignored route points \(survey.routePoints)") }
        if !survey.isOrdered { lines.append("  points out of order in time are put in order") }
        return lines.map { Escape.text($0) + "\n" }.joined()
    }
}
