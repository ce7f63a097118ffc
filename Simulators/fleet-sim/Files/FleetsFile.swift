import JSON
import SettingsFile
import YAML

/// What `--config` reads: several fleets, with a place for everything that is wrong with the file.
struct FleetsFile {
    var seed: UInt64?
    var end: Duration?
    var fleets: [FleetDraft] = []

    /// What a file came to.
    struct Outcome {
        /// `nil` where there are errors.
        var file: FleetsFile?
        /// In the order of the file.
        var diagnostics: [Diagnostic]

        var plans: [FleetPlan] { file?.fleets.map(\.plan) ?? [] }
    }

    static func read(_ path: String, _ surroundings: Surroundings = .system) -> Outcome {
        switch surroundings.read(path) {
        case .success(let content): return read(content.bytes, path: path, surroundings)
        case .failure(let error):
            let message = "the file cannot be read: \(error.message)"
            return Outcome(diagnostics: [Diagnostic(severity: .error, file: path, message: message)])
        }
    }

    static func read(_ bytes: [UInt8], path: String, _ surroundings: Surroundings = .system) -> Outcome {
        let log = DiagnosticLog(file: path)
        let document = YAMLDocument(bytes)
        for error in document.errors { log.report(.error, error.place, error.message) }
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        let context = Context(path: "", log: log, surroundings: surroundings, folder: folder)
        let substitution = EnvironmentSubstitution(variable: surroundings.variable) { error in
            log.report(.error, error.place, error.message)
        }
        var file = FleetsFile()
        if let root = document.root {
            mapping.read(substitution.apply(to: root), into: &file, context)
        } else if document.errors.isEmpty {
            log.report(.error, YAMLPlace(line: 1, column: 1), "the file is empty; expected the setting \"fleets\"")
        }
        file.checkIdentities(context.entering("fleets"))
        return Outcome(file: log.hasErrors ? nil : file, diagnostics: log.diagnostics)
    }

    static var mapping: Mapping<FleetsFile> {
        Mapping(fields: [
            Field(
                "seed", .integer(in: 0...Int(Int32.max)),
                "Repeats the run with this seed: the same messages but for their times."
            ) { file, seed, _ in file.seed = UInt64(seed) },
            Field(
                "for", .duration(in: .milliseconds(1) ... .longest), \.end,
                "Ends by itself; without it runs until it is stopped."),
            Field(
                "fleets", .list(of: FleetDraft.kind, atLeast: 1), "The devices, source by source.", required: true
            ) { file, fleets, _ in file.fleets = fleets.map(\.value) },
        ])
    }

    /// The JSON Schema (draft 2020-12), made of the same table that reads the file.
    static var schema: JSONValue { SettingsSchema.document(mapping, title: "Fleets of fleet-sim") }

    /// Two devices of one identity would push each other off the broker, and their places would flicker.
    private func checkIdentities(_ context: Context) {
        var seen: Set<[String]> = []
        for (index, fleet) in fleets.enumerated() {
            let plan = fleet.plan
            if !seen.insert([plan.source, plan.format.name, plan.kind.stem]).inserted {
                context.entering(index).error(
                    at: fleet.place,
                    "another fleet has devices of the same ids, \(plan.source)/\(plan.kind.stem)0 and so on; give it a source or an id of its own"
                )
            }
        }
    }
}
