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

    @Test(
        "Every device ends in the state that the oracle knows",
        arguments: [("own", 3), ("own", 4), ("shared", 5), ("shared", 6)] as [(String, Int)])
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
                let time = device["time"] ?? .null
                try watcher.wait("the last state of \(id)") { watcher in
                    guard let state = watcher.state(id), state["status"] == "offline" else { return false }
                    return time.isNull || state["time"] == time
                }
                let state = try #require(watcher.state(id))
                for member in Self.members {
                    #expect(state[member] == device[member], "\(id) \(member): \(state) \(device)")
                }
                #expect(state.value("properties.state") == device.value("properties.state"))
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
