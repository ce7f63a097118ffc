import Configuration
import SettingsFile
import Testing

/// Surroundings without a system: variables and files are what a test says.
func surroundings(
    variables: [String: String] = [:], files: [String: Surroundings.FileContent] = [:]
) -> Surroundings {
    Surroundings(
        variable: { variables[$0].map { Array($0.utf8) } },
        read: { path in
            files[path].map { .success($0) } ?? .failure(Surroundings.FileError("No such file or directory"))
        },
        machineIdentifier: "0123456789abcdef\n",
        hasTimeZone: { ["UTC", "Europe/Copenhagen"].contains($0) },
        absolutePath: { $0.hasPrefix("/") ? $0 : "/etc/" + $0 })
}

func file(_ text: String, isReadableByOthers: Bool = false) -> Surroundings.FileContent {
    Surroundings.FileContent(bytes: Array(text.utf8), isReadableByOthers: isReadableByOthers)
}

func outcome(
    _ text: String, _ surroundings: Surroundings = surroundings(), own: [OwnSource] = []
) -> ConfigurationReader.Outcome {
    ConfigurationReader(surroundings: surroundings, own: own).read(Array(text.utf8), path: "fleet.yaml")
}

/// What a file with no error says.
func configuration(
    _ text: String, _ surroundings: Surroundings = surroundings(), sourceLocation: SourceLocation = #_sourceLocation
) throws -> BridgeConfiguration {
    let outcome = outcome(text, surroundings)
    #expect(outcome.diagnostics.isEmpty, "\(outcome.diagnostics)", sourceLocation: sourceLocation)
    return try #require(outcome.configuration, sourceLocation: sourceLocation)
}

/// Holds a file's diagnostics against `line:column` and words that each message must contain, in order.
func expect(
    _ text: String, _ expected: [(place: String, words: [String])], _ surroundings: Surroundings = surroundings(),
    sourceLocation: SourceLocation = #_sourceLocation
) {
    let found = outcome(text, surroundings).diagnostics.map(\.description)
    #expect(found.count == expected.count, "\(found.joined(separator: "\n"))", sourceLocation: sourceLocation)
    for (line, (place, words)) in zip(found, expected) {
        #expect(line.hasPrefix("fleet.yaml:\(place): "), "\(line)", sourceLocation: sourceLocation)
        for word in words { #expect(line.contains(word), "\(line)", sourceLocation: sourceLocation) }
    }
}
