import Configuration
import Foundation
import MQTTModel
import SettingsFile
import Testing

@Suite("Files of the system")
struct SystemTests {
    private func withFolder(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "configuration-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder)
    }

    private func write(_ text: String, _ file: URL, mode: Int) throws {
        try Data(text.utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
    }

    @Test("A file with its password beside it is read, and open permissions are warned about")
    func read() throws {
        try withFolder { folder in
            let file = folder.appending(path: "bridge.yaml")
            try write("broker: {username: u, passwordFile: secret}", file, mode: 0o640)
            try write("pw\n", folder.appending(path: "secret"), mode: 0o600)
            var outcome = ConfigurationReader().read(file.path)
            #expect(outcome.diagnostics.isEmpty)
            #expect(outcome.configuration?.broker.password == Secret("pw"))
            try write("broker: {username: u, passwordFile: secret}", file, mode: 0o644)
            try write("pw\n", folder.appending(path: "secret"), mode: 0o604)
            outcome = ConfigurationReader().read(file.path)
            #expect(outcome.configuration?.broker.password == Secret("pw"))
            #expect(outcome.diagnostics.map(\.severity) == [.warning, .warning])
        }
    }

    @Test("Folders, missing files and empty devices end with an answer")
    func unreadable() throws {
        try withFolder { folder in
            let missing = ConfigurationReader().read(folder.appending(path: "missing.yaml").path)
            #expect(missing.configuration == nil)
            #expect(missing.diagnostics.first?.message.contains("No such file or directory") == true)
            let directory = ConfigurationReader().read(folder.path)
            #expect(directory.configuration == nil)
            #expect(directory.diagnostics.first?.message.contains("is a folder") == true)
            let pipe = folder.appending(path: "pipe")
            #expect(mkfifo(pipe.path, 0o600) == 0)
            #expect(ConfigurationReader().read(pipe.path).configuration != nil)
            #expect(ConfigurationReader().read("/dev/null").configuration != nil)
        }
    }

    @Test("A folder can be written to where it is, or can be made")
    func folders() throws {
        try withFolder { folder in
            let fault = { (name: String) in Surroundings.system.folderFault(folder.appending(path: name).path)?.message }
            try write("", folder.appending(path: "file"), mode: 0o600)
            #expect(fault("") == nil && fault("a/b/c") == nil)
            #expect(fault("file") == "Not a directory")
            #expect(fault("file/a") == "Not a directory")
            #expect(Surroundings.system.folderFault("") == nil, "the working directory")
            let readOnly = Surroundings.system.folderFault("/proc/fleet-bridge/gpx")?.message
            #expect(getuid() == 0 || readOnly == "/proc: Permission denied")
        }
    }

    @Test(
        "Time zones are the system's", arguments: [("Europe/Copenhagen", true), ("UTC", true), ("Mars/Olympus", false)])
    func timeZone(name: String, isKnown: Bool) {
        #expect(Surroundings.system.hasTimeZone(name) == isKnown)
    }

    @Test("The examples have no fault")
    func examples() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "examples")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "yaml" && !$0.lastPathComponent.hasSuffix(".test.yaml") }
        #expect(!files.isEmpty)
        for file in files { #expect(ConfigurationReader().read(file.path).diagnostics.isEmpty) }
    }
}
