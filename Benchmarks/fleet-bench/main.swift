import Foundation
import JSON

// Figures of speed as ratios within one run: `fleet-bench FILE` writes them to FILE and prints them.

/// Batches small enough to stay in the cache, as a message does that has just come from the network.
let batch = 2_000
let rounds = 101

let bare = BareParse()
let pipeline = try Pipeline()
let comparison = Comparison(rounds: rounds, count: batch) { round in
    NativeTelemetry(count: batch, from: round * batch)
} first: { telemetry in
    bare.run(telemetry.messages)
} second: { telemetry in
    pipeline.run(telemetry.messages, at: telemetry.end)
}
precondition(pipeline.publishes >= batch * (rounds + 1), "\(pipeline.publishes) publishes, fewer than messages")

let rules = try RuleSpeed().figures()

// After the speed, which a heap full of holes would change, and before what leaves such a heap.
let resident = try Memory.residentBytesPerLocation(at: [10_000, 100_000])
let rooms = try VenueSpeed().figures()
let projections = try ProjectionSpeed.figures()

let figures: JSONValue = [
    "native-pipeline-messages-per-second": rounded(1 / comparison.second),
    "json-c-bare-parse-messages-per-second": rounded(1 / comparison.first),
    "native-pipeline-to-bare-parse": rounded(comparison.speedRatio, 3),
    "charge-rule-nanoseconds": rounded(try ChargeRule.nanoseconds(), 1),
    "snapshot-milliseconds-of-10000-changed": rounded(try SnapshotSpeed.milliseconds(changed: 10_000), 2),
    "snapshot-milliseconds-of-100-changed": rounded(try SnapshotSpeed.milliseconds(changed: 100), 3),
    "resident-bytes-per-location-at-10000": rounded(resident[0]),
    "resident-bytes-per-location-at-100000": rounded(resident[1]),
    "payload-bytes": .number(Double(NativeTelemetry(count: 1, from: 0).messages[0].payload.count)),
]
let all = JSONValue.object(
    JSONObject((figures.object?.members ?? []).map { ($0.key, $0.value) } + rules + rooms + projections))
let path = CommandLine.arguments.dropFirst().first ?? "bench.json"
try Data((all.text + "\n").utf8).write(to: URL(fileURLWithPath: path))
for member in all.object?.members ?? [] { print("\(member.key): \(member.value.text)") }
