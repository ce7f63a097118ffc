import Configuration
import FleetEngine
import FleetTestSupport
import Foundation
import Randomness
import Testing
import Timestamps

/// The documented configurations, garbled by a seed. `FUZZ=200000` reads that many, `SEED=n` chooses the seed.
@Suite("Garbled configurations")
struct ConfigurationFuzzTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The examples, and what stands in the documents as YAML.
    private static func originals() throws -> [[UInt8]] {
        var originals: [[UInt8]] = []
        for folder in ["examples", "docs", "."] {
            let names = try FileManager.default.contentsOfDirectory(atPath: root.appending(path: folder).path).sorted()
            for name in names where name.hasSuffix(".yaml") || name.hasSuffix(".md") {
                let text = try String(contentsOf: root.appending(path: "\(folder)/\(name)"), encoding: .utf8)
                if name.hasSuffix(".yaml") {
                    originals.append(Array(text.utf8))
                } else {
                    originals += text.matches(of: #/(?ms)^```yaml\n(.*?)^```$/#).map { Array($0.1.utf8) }
                }
            }
        }
        return originals
    }

    @Test("Whatever a file looks like, it is a configuration by which the engine starts, or its faults have places")
    func anyFile() throws {
        let originals = try Self.originals()
        #expect(originals.count > 10)
        let surroundings = surroundings(
            variables: ["HOME": "/root"], files: ["/etc/fleet-bridge/password": file("secret\n")])
        var random = SeededRandom(seed: Fuzzing.seed)
        var (valid, wrong) = (0, 0)
        for index in 0..<Fuzzing.count(1_500) {
            var bytes = try #require(originals.randomElement(using: &random))
            for _ in 0...Int.random(in: 0...3, using: &random) { Self.garble(&bytes, originals, &random) }
            let outcome = ConfigurationReader(surroundings: surroundings).read(bytes, path: "fleet.yaml")
            let lines = 1 + bytes.count { $0 == 0x0A || $0 == 0x0D }
            for diagnostic in outcome.diagnostics
            where !(1...lines + 1 ~= diagnostic.line ?? 0) || diagnostic.column ?? 0 < 1 {
                Issue.record("\(diagnostic): no such place, seed \(Fuzzing.seed), file \(index)")
            }
            for diagnostic in outcome.diagnostics {
                #expect(!diagnostic.message.isEmpty && !diagnostic.message.contains { $0.isNewline }, "\(diagnostic)")
            }
            let errors = outcome.diagnostics.count { $0.severity == .error }
            #expect((outcome.configuration == nil) == (errors > 0), "seed \(Fuzzing.seed), file \(index)")
            guard let configuration = outcome.configuration else {
                wrong += 1
                continue
            }
            valid += 1
            let now = Instant(wall: Timestamp(milliseconds: 1_764_500_000_000), monotonic: .seconds(5))
            let engine = Engine(configuration.engine, version: "test", seed: 1, at: now)
            #expect(!engine.handle(.tick, at: now).isEmpty, "seed \(Fuzzing.seed), file \(index)")
        }
        #expect(valid > 0 && wrong > 0)
    }

    // MARK: Garbling

    private static let words = [
        "null", "~", "true", "-1", "0", "1e999", ".nan", ".inf", "99999999999999999999", "{}", "[]", "\"\"", "off",
        "&a", "*a",
        "!!int", "<<: *a", "${HOME}", "${", "${X:-}", "? ", "- ", ": ", "\t", "|", ">", "'", "\"", "#", "---", "...",
        "%YAML 1.1",
        "é", "\u{0}", "\u{FEFF}", "[get, charge]", "[zoom]", "[", "]", "{", "}", "{source}", "+/#", "10000000d", "0x10",
        "1_000",
    ]

    private static func garble(_ bytes: inout [UInt8], _ originals: [[UInt8]], _ random: inout SeededRandom) {
        let place = Int.random(in: 0...bytes.count, using: &random)
        switch Int.random(in: 0..<10, using: &random) {
        case 0: bytes.removeLast(bytes.count - place)
        case 1: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
        case 2: if !bytes.isEmpty { bytes[place % bytes.count] ^= 1 << UInt8.random(in: 0..<8, using: &random) }
        case 3: bytes.insert(contentsOf: (words.randomElement(using: &random) ?? "").utf8, at: place)
        case 4:
            bytes.insert(
                contentsOf: repeatElement(UInt8(ascii: "[") + UInt8(random.next() % 2) * 32, count: 2_000), at: place)
        case 5: bytes.insert(contentsOf: (originals.randomElement(using: &random) ?? []).prefix(400), at: place)
        case 6: garbleLine(&bytes, &random)
        default: garbleWord(&bytes, &random)
        }
    }

    /// Repeats a line, takes it away, or moves it in or out.
    private static func garbleLine(_ bytes: inout [UInt8], _ random: inout SeededRandom) {
        var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { Array($0) }
        let index = Int.random(in: 0..<lines.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: lines.insert(lines[index], at: index)
        case 1: lines.remove(at: index)
        case 2: lines[index].insert(contentsOf: "  ".utf8, at: 0)
        default: if lines[index].first == 0x20 { lines[index].removeFirst() }
        }
        bytes = Array(lines.joined(separator: [0x0A]))
    }

    /// Puts something else where a value or key stands.
    private static func garbleWord(_ bytes: inout [UInt8], _ random: inout SeededRandom) {
        func isPart(_ byte: UInt8) -> Bool { byte > 0x20 && !",:[]{}\"".utf8.contains(byte) }
        let starts = bytes.indices.filter { isPart(bytes[$0]) && ($0 == 0 || !isPart(bytes[$0 - 1])) }
        guard let start = starts.randomElement(using: &random) else { return }
        let end = bytes[start...].firstIndex { !isPart($0) } ?? bytes.count
        bytes.replaceSubrange(start..<end, with: (words.randomElement(using: &random) ?? "").utf8)
    }
}
