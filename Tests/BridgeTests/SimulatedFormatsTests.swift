import FleetTestSupport
import Glibc
import JSON
import Testing

/// The simulator's devices and the bridge at one broker, as a user runs them.
@Suite("Simulated devices of every format", .enabled(if: Broker.isInstalled), .timeLimit(.minutes(5)))
struct SimulatedFormatsTests {
    struct Fleet: Sendable, CustomStringConvertible {
        var format: String
        var topics: [String]
        /// Where the plan's origin is; the devices of formats without plans say where they are on Earth.
        var origin: (latitude: Double, longitude: Double)?
        /// Metres from the base that no device leaves.
        var radius = 31.0
        var hasWill = false

        var description: String { format }

        /// A source `fleet`, and where needed its map.
        var configuration: String {
            let map = origin.map { "maps: {floor: {origin: {lat: \($0.latitude), lon: \($0.longitude)}}}\n" } ?? ""
            let topics = topics.map { "\"\($0)\"" }.joined(separator: ", ")
            return map + """
                sources:
                  fleet:
                    format: \(format)
                    topics: [\(topics)]
                    maxRate: unlimited
                \(origin == nil ? "" : "    map: floor")
                """
        }
    }

    /// The tutorial's base.
    private static let base = (latitude: 57.0582502, longitude: 9.9504788)

    static let fleets = [
        Fleet(
            format: "native", topics: ["fleet/vacuums/{device}/telemetry", "fleet/vacuums/{device}/connection"],
            hasWill: true),
        Fleet(
            format: "owntracks", topics: ["owntracks/{user}/{device}", "owntracks/{user}/{device}/+"], hasWill: true),
        Fleet(
            format: "vda5050",
            topics: ["state", "visualization", "connection", "factsheet"].map {
                "uagv/v2/{manufacturer}/{serial}/\($0)"
            },
            origin: base, hasWill: true),
        // The image's top left, 40 m west and north of the base.
        Fleet(
            format: "valetudo", topics: ["valetudo/{identifier}/#"], origin: (57.0586094, 9.9498196), hasWill: true),
        // Each from its own dock, here put on the base.
        Fleet(format: "roomba", topics: ["$aws/things/{blid}/shadow/update"], origin: base, radius: 62),
        Fleet(format: "homeassistant", topics: ["homeassistant/device_tracker/{device}/+"], hasWill: true),
        Fleet(format: "traccar", topics: ["positions"]),
        Fleet(format: "meshtastic", topics: ["msh/+/2/json/+/{gateway}"]),
        Fleet(format: "geojson", topics: ["geojson/{device}"]),
        Fleet(format: "nmea", topics: ["gps/{device}/nmea"]),
    ]

    /// Metres from the base, near enough at this latitude.
    private static func distance(_ state: JSONObject) -> Double {
        let north = ((state.number("position.lat") ?? .infinity) - base.latitude) * 111_363
        let east = ((state.number("position.lon") ?? .infinity) - base.longitude) * 60_680
        return hypot(north, east)
    }

    @Test("They become live states within their area, and offline when their wills say so", arguments: fleets)
    func states(fleet: Fleet) throws {
        try Broker.withBroker { broker in
            let bridge = try Bridge(broker, fleet.configuration)
            try bridge.waitUntilReady()
            let watcher = try Watcher(broker)
            let simulator = try ProductProcess(
                "fleet-sim",
                [
                    "run", "--broker", broker.url, "--format", fleet.format, "--count", "3", "--interval", "200ms",
                    "--seed",
                    "5", "--for", "60s",
                ])
            func states() -> [JSONObject] {
                watcher.locations(of: "fleet").compactMap { watcher.state($0, of: "fleet") }
            }
            try watcher.wait("three states with a position") { _ in
                states().count { $0["position"]?.object != nil } == 3
            }
            for state in states() {
                #expect(state["status"] == "live", "\(state)")
                #expect(Self.distance(state) < fleet.radius, "\(state)")
            }
            simulator.send(SIGKILL)
            if fleet.hasWill {
                try watcher.wait("three devices offline") { _ in states().allSatisfy { $0["status"] == "offline" } }
            }
            #expect(try bridge.stop() == 0)
            let stats = try Stats(stored: broker)
            #expect(stats.balance && stats["rejected"] == 0, "\(stats.document)")
        }
    }
}
