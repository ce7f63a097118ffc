import FleetTestSupport
import Foundation
import JSON
import Testing

/// The simulator's devices with every fault, through a real broker and the bridge: what it ends with is what the simulator's
/// oracle says a right consumer must end with.
@Suite("Devices with faults", .enabled(if: Broker.isInstalled), .timeLimit(.minutes(5)))
struct FaultyFleetTests {
    /// Members that the oracle tells, as they stand in a state.
    private static let members = [
        "position", "charge", "floor", "heading", "speed", "accuracy", "name", "type", "building", "status",
    ]

    /// The members in which a state is not what the oracle says. Its time is known where the device's own counts.
    private static func differences(_ state: JSONObject, _ device: JSONObject) -> [String] {
        members.filter { state[$0] != device[$0] }
            + (state.value("properties.state") != device.value("properties.state") ? ["state"] : [])
            + (device["time"] != nil && state["time"] != device["time"] ? ["time"] : [])
    }

    @Test(
        "Every device ends in the state that the oracle knows",
        arguments: [("own", 3), ("shared", 5)] as [(String, Int)])
    func oracle(connections: String, seed: Int) throws {
        try Broker.withBroker { broker in
            let bridge = try Bridge(broker, Settings.robots(source: ["hold: 0s"]))
            try bridge.waitUntilReady()
            let watcher = try Watcher(broker)
            let file = try TemporaryFile("oracle.json", "")
            let simulator = try ProductProcess(
                "fleet-sim",
                [
                    "run", "--broker", broker.url, "--source", "robots", "--count", "12", "--interval", "50ms",
                    "--faults", "all", "--connections", connections, "--seed", "\(seed)", "--for", "5s",
                    "--oracle", file.path,
                ])
            #expect(try simulator.wait(atMost: .seconds(30)) == 0, "\(simulator.output)\(simulator.errors)")
            for fault in ["duplicate", "reorder", "drop", "delay", "clockSkew", "futureClock", "stuckPosition"]
                + ["wrongUnit", "missingFloor", "nan", "garbage", "willStorm"]
            {
                #expect(simulator.output.contains(" \(fault)"), "\(simulator.output)")
            }
            let oracle = try JSONParser().parse(Array(Data(contentsOf: URL(filePath: file.path))))
            let devices = oracle.object?["devices"]?.array?.compactMap { $0.object } ?? []
            #expect(devices.count == 12)
            for device in devices {
                let id = try #require(device["id"]?.string)
                #expect(device["uncertain"] == false, "\(device)")
                #expect(device["status"] == "offline")
                // The bridge may still be reading; what it then knows is looked at member by member.
                try? watcher.wait("the last state of \(id)", atMost: .seconds(20)) { watcher in
                    watcher.state(id).map { Self.differences($0, device).isEmpty } ?? false
                }
                let state = try #require(watcher.state(id))
                #expect(Self.differences(state, device) == [], "\(state) \(device)")
            }
            #expect(try bridge.stop() == 0)
            let stats = try Stats(stored: broker)
            #expect(stats.balance)
            func sum(_ key: String) -> Int { devices.reduce(0) { $0 + Int($1.number("messages.\(key)") ?? 0) } }
            #expect(stats["reports.late"] == sum("late"))
            #expect(stats["rejected"] == sum("rejected"))
            #expect(sum("late") > 20 && sum("rejected") > 20 && sum("duplicate") > 20)
        }
    }
}
