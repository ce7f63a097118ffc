import FleetTestSupport
import Glibc
import LocalBroker
import Testing

@Suite("fleet-bridge run --embedded-broker", .enabled(if: Broker.isInstalled), .timeLimit(.minutes(5)))
struct EmbeddedBrokerTests {
    @Test("It says where its broker is, and leaves no process behind, also when killed", arguments: [SIGTERM, SIGKILL])
    func noneLeft(signal: Int32) throws {
        let bridge = try ProductProcess("fleet-bridge", ["run", "--embedded-broker", "--for", "60s"])
        try bridge.waitForErrors(" ready ")
        let first = try #require(bridge.output.split(separator: "\n").first)
        let start = "broker mqtt://127.0.0.1:"
        #expect(first.hasPrefix(start))
        let port = try #require(UInt16(first.dropFirst(start.count)))
        #expect(try TestClient.retained("fleet-bridge/status", port: port).count == 1)
        let children = Self.children(of: bridge.identifier)
        #expect(children.count == 1)

        bridge.send(signal)
        #expect(try bridge.wait() == (signal == SIGKILL ? 128 + SIGKILL : 0))
        let limit = monotonicNow() + .seconds(10)
        while children.contains(where: Self.isRunning), monotonicNow() < limit { usleep(5_000) }
        #expect(!children.contains(where: Self.isRunning))
    }

    @Test("When its broker ends, it says so and ends with 1")
    func brokerEnds() throws {
        let bridge = try ProductProcess("fleet-bridge", ["run", "--embedded-broker", "--for", "60s"])
        try bridge.waitForErrors(" ready ")
        for child in Self.children(of: bridge.identifier) { kill(child, SIGKILL) }
        #expect(try bridge.wait() == 1)
        #expect(bridge.errors.contains("error the embedded broker has ended"))
    }

    private static func children(of parent: pid_t) -> [pid_t] {
        guard let directory = opendir("/proc") else { return [] }
        defer { closedir(directory) }
        var children: [pid_t] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if let identifier = pid_t(name), fields(of: identifier).dropFirst().first == "\(parent)" {
                children.append(identifier)
            }
        }
        return children
    }

    /// One that has ended may stand in the table until somebody asks for its exit code.
    private static func isRunning(_ identifier: pid_t) -> Bool {
        guard let state = fields(of: identifier).first else { return false }
        return state != "Z" && state != "X"
    }

    /// State, parent and so on: what follows the name, which may hold anything.
    private static func fields(of identifier: pid_t) -> [String] {
        guard let file = fopen("/proc/\(identifier)/stat", "re") else { return [] }
        defer { fclose(file) }
        var buffer = [UInt8](repeating: 0, count: 4_096)
        let count = fread(&buffer, 1, buffer.count, file)
        let text = String(decoding: buffer.prefix(count), as: UTF8.self)
        guard let end = text.lastIndex(of: ")") else { return [] }
        return text[end...].dropFirst().split(separator: " ").map(String.init)
    }
}
