import FleetTestSupport
import Glibc
import JSON
import LocalBroker
import MQTTModel
import Testing

@Suite("What a broker refuses", .enabled(if: Broker.isInstalled), .timeLimit(.minutes(5)))
struct LimitTests {
    /// The library that gives mosquitto rights that also concern subscriptions: its access file does not.
    private static let dynamicSecurity = plugin()

    private static func plugin() -> String? {
        var paths = glob_t()
        defer { globfree(&paths) }
        guard glob("/usr/lib*/{,*/}mosquitto_dynamic_security.so", GLOB_BRACE, nil, &paths) == 0,
            let path = paths.gl_pathv?[0]
        else { return nil }
        return String(cString: path)
    }

    @Test("A refused subscription and a refused publish are told by name, the rest works")
    func accessDenied() throws {
        guard let plugin = Self.dynamicSecurity else { return }
        let rights = try TemporaryFile(
            "rights.json",
            """
            {"defaultACLAccess": {"publishClientSend": true, "publishClientReceive": true, "subscribe": true,
                                  "unsubscribe": true},
             "anonymousGroup": "everyone", "clients": [],
             "groups": [{"groupname": "everyone", "roles": [{"rolename": "some"}]}],
             "roles": [{"rolename": "some", "acls": [
               {"acltype": "subscribeLiteral", "topic": "fleet/secret/+/telemetry", "allow": false},
               {"acltype": "publishClientSend", "topic": "fleet-bridge/robots/r2/state", "allow": false}]}]}
            """)
        try Broker.withBroker(settings: ["plugin \(plugin)", "plugin_opt_config_file \(rights.path)"]) { broker in
            let bridge = try Bridge(
                broker,
                Settings.robots + """
                      secret: {topics: ["fleet/secret/{device}/telemetry"]}

                    """)
            try bridge.waitUntilReady()
            let watcher = try Watcher(broker)
            try watcher.waitForStatus("fleet-bridge/secret/status", "reason", "accessDenied")
            #expect(watcher.json("fleet-bridge/secret/status")?["status"] == "unavailable")
            let devices = try Devices(broker)
            for _ in 0..<3 { for device in ["r1", "r2", "r3"] { try devices.report(device) } }
            try watcher.waitForState("r1", "properties.n", 3)
            try watcher.waitForState("r3", "properties.n", 3)
            try bridge.process.waitForErrors("refuses a publish")
            let errors = bridge.process.errors.split(separator: "\n").filter { $0.contains(" error ") }
            #expect(errors.count == 2, "\(errors)")
            #expect(errors.contains { $0.contains("filter=fleet/secret/+/telemetry") && $0.contains("not authorized") })
            #expect(errors.contains { $0.contains("fleet-bridge/robots/r2/state") && $0.contains("not authorized") })
            try watcher.settle()
            #expect(watcher.locations() == ["r1", "r3"])
            #expect(!bridge.process.errors.contains("disconnected"))
            #expect(try bridge.stop() == 0)
        }
    }

    @Test("A state larger than the broker takes is told once, and everything else goes on")
    func oversized() throws {
        // From well below the limit to well above it, byte by byte where the packet around the state decides.
        let sizes = [0, 1_000] + Array(1_500..<1_800).filter { $0 % 7 == 0 } + [3_000]
        let rules = sizes.map { size in
            "  - {match: {location: r\(size)}, set: {calloutDetail: \(String(repeating: "x", count: size))a}}"
        }
        let settings = Settings.robots + "displayRules:\n" + rules.joined(separator: "\n") + "\n"
        try Broker.withBroker(settings: ["max_packet_size 2000"]) { broker in
            let bridge = try Bridge(broker, settings)
            try bridge.waitUntilReady()
            let watcher = try Watcher(broker)
            let devices = try Devices(broker)
            for _ in 0..<3 { for size in sizes { try devices.report("r\(size)") } }
            try devices.report("last")
            try watcher.waitForState("last", "properties.n", 1)
            #expect(try bridge.stop() == 0)
            try watcher.settle()
            let lines = bridge.process.errors.split(separator: "\n")
            for size in sizes {
                let state = watcher.state("r\(size)")
                // How often it was the same is told at the end.
                let told = lines.filter {
                    $0.contains("fleet-bridge/robots/r\(size)/state") && !$0.contains(" times=")
                }
                // Each is either current and whole, or told to be too large, once; then it lacks what it can do without.
                let isWhole = state?.number("properties.n") != nil
                #expect(isWhole ? told.isEmpty : told.count == 1, "\(size): \(told)")
                #expect(!isWhole || state?.number("properties.n") == 3, "\(size)")
                #expect(told.allSatisfy { $0.contains("larger than maxOutput") })
                #expect(state?.number("position.lat") != nil, "\(size)")
            }
            #expect(watcher.state("r3000")?["display"] == [:] && watcher.state("r0")?["display"] != [:])
            #expect(!bridge.process.errors.contains("disconnected"))
            #expect(try Stats(stored: broker).balance)
        }
    }
}
