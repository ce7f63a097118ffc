import FleetEngine
import Foundation
import Testing

@testable import FleetBridge

@Suite("A configuration that is read again")
final class LiveConfigurationTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "live-\(UUID().uuidString)")

    init() throws {
        for name in ["icons", "other"] {
            try FileManager.default.createDirectory(
                at: folder.appending(path: name), withIntermediateDirectories: true)
            try Data().write(to: folder.appending(path: "\(name)/robot.svg"))
        }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// What the log says that needs a restart, after a change from one file to another.
    private func needsRestart(_ old: String, _ new: String) throws -> [String] {
        let file = folder.appending(path: "fleet-bridge.yaml")
        try Data(old.utf8).write(to: file)
        let live = try #require(LiveConfiguration(file.path(), brokerAddress: nil) { Issue.record("\($0)") })
        try Data(new.utf8).write(to: file)
        guard case .configuration(_, _, let settings) = live.apply(.reload, for: nil, report: { _ in }) else {
            Issue.record("refused")
            return []
        }
        return settings
    }

    @Test(
        "What is served stays as it was at the start, and the settings that differ are named",
        arguments: [
            ("http: {}", "http: {}", []), ("http: {}", "", ["http"]), ("", "http: {}", ["http"]), ("", "", []),
            ("http: {}", "http: {tiles: {url: 'https://t.example/{z}/{x}/{y}'}}", ["http"]),
            ("icons: icons\nhttp: {}", "icons: icons\nhttp: {}", []),
            ("icons: icons\nhttp: {}", "icons: other\nhttp: {}", ["icons"]),
            ("icons: icons\nhttp: {}", "icons: [robot]\nhttp: {hosts: [x]}", ["http", "icons"]),
            ("icons: icons", "icons: other", []), ("instance: a", "instance: b", ["instance"]),
        ] as [(String, String, [String])])
    func served(old: String, new: String, settings: [String]) throws {
        #expect(try needsRestart(old, new) == settings)
    }
}
