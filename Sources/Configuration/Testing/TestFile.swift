internal import FleetEngine
internal import JSON
public import SettingsFile
internal import YAML

/// Tests of a configuration, in a YAML file beside it.
public struct TestFile {
    /// What came of a file.
    public struct Report: Sendable {
        /// What is wrong with the file or with the configuration; then no test has run.
        public var diagnostics: [Diagnostic] = []
        public var results: [TestResult] = []

        /// 0, 1 where a test failed, 2 where the tests could not run.
        public var exitCode: Int32 {
            if diagnostics.contains(where: { $0.severity == .error }) { return 2 }
            return results.contains { !$0.failures.isEmpty } ? 1 : 0
        }
    }

    private let surroundings: Surroundings
    private let own: [OwnSource]

    /// - Parameter own: The program's own sources; in tests, they say nothing.
    public init(surroundings: Surroundings = .system, own: [OwnSource] = []) {
        (self.surroundings, self.own) = (surroundings, own)
    }

    /// Runs the tests of a file.
    public func run(_ path: String) -> Report {
        let log = DiagnosticLog(file: path)
        switch surroundings.read(path) {
        case .failure(let error):
            log.report(.error, nil, "the test file cannot be read: \(error.message)")
            return Report(diagnostics: log.diagnostics)
        case .success(let file): return run(file.bytes, path: path, log)
        }
    }

    private func run(_ bytes: [UInt8], path: String, _ log: DiagnosticLog) -> Report {
        let document = YAMLDocument(bytes)
        for error in document.errors { log.report(.error, error.place, error.message) }
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        let context = Context(path: "", log: log, surroundings: surroundings, folder: folder)
        var draft = TestFileDraft()
        if let root = document.root {
            TestFileDraft.mapping.read(root, into: &draft, context)
        } else if document.errors.isEmpty {
            log.report(.error, nil, "the file is empty; expected tests")
        }
        let testContext = context.entering("tests")
        let tests = draft.tests.enumerated().compactMap { TestCase($1, index: $0, testContext.entering($0)) }
        guard let target = configurationPath(draft, path: path, folder: folder, context), !log.hasErrors else {
            return Report(diagnostics: log.diagnostics)
        }
        let outcome = ConfigurationReader(surroundings: surroundings, own: own).read(target)
        let diagnostics = log.diagnostics + outcome.diagnostics
        guard let configuration = outcome.configuration else { return Report(diagnostics: diagnostics) }
        return Report(
            diagnostics: diagnostics,
            results: tests.map { test in
                TestResult(
                    name: test.name, file: path, line: test.place.line, column: test.place.column,
                    failures: test.run(configuration.engine))
            })
    }

    private func configurationPath(
        _ draft: TestFileDraft, path: String, folder: String, _ context: Context
    ) -> String? {
        if let named = draft.configuration {
            let target = named.hasPrefix("/") ? named : folder + named
            if case .failure(let error) = surroundings.read(target) {
                context.entering("configuration").error(
                    at: draft.configurationPlace, "\(target) cannot be read: \(error.message)")
                return nil
            }
            return target
        }
        for suffix in [".yaml", ".yml", ".json"] where path.hasSuffix(".test" + suffix) {
            return String(path.dropLast(".test".count + suffix.count)) + suffix
        }
        context.error(
            at: YAMLPlace(line: 1, column: 1),
            "which configuration is tested? Name it in \"configuration\", or call this file after it: fleet-bridge.test.yaml"
        )
        return nil
    }
}

/// What came of one test.
public struct TestResult: Sendable {
    public var name: String
    /// Where the test begins.
    public var file: String
    public var line: Int
    public var column: Int
    /// None: it passed.
    public var failures: [TestFailure]
}

/// One thing that is not as expected.
public struct TestFailure: Sendable, Equatable {
    /// Where it was expected, in the test file.
    public var line: Int
    public var column: Int
    /// What differs: `vacuums/r1: display.iconColor`.
    public var subject: String
    public var expected: String
    public var actual: String
    /// Why it is so, where that is known.
    public var reason: String?
}
