import Foundation
import JSON

// Figures of speed as ratios within one run: `fleet-bench FILE` writes them to FILE and prints them.

let count = Int(ProcessInfo.processInfo.environment["COUNT"] ?? "") ?? 20_000
let rounds = Int(ProcessInfo.processInfo.environment["ROUNDS"] ?? "") ?? 11
let bare = BareParse()
let all = NativeTelemetry(count: count * (rounds + 1)).messages
var round = 0
let pipeline = try Pipeline()

let comparison = Comparison(rounds: rounds, count: count) {
    bare.run(Array(all[..<count]))
} _: {
    pipeline.run(Array(all[(round * count)..<((round + 1) * count)]), at: .milliseconds((round + 1) * count / 16 * 500))
    round += 1
}
precondition(pipeline.publishes >= count * (rounds + 1), "\(pipeline.publishes) publishes, fewer than messages")

let figures: JSONValue = [
    "native-pipeline-messages-per-second": rounded(1 / comparison.second),
    "json-c-bare-parse-messages-per-second": rounded(1 / comparison.first),
    "native-pipeline-to-bare-parse": rounded(comparison.speedRatio, 3),
    "payload-bytes": .number(Double(all[0].payload.count)),
]
let path = CommandLine.arguments.dropFirst().first ?? "bench.json"
try Data((figures.text + "\n").utf8).write(to: URL(fileURLWithPath: path))
for member in figures.object?.members ?? [] { print("\(member.key): \(member.value.text)") }
