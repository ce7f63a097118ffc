import FleetEngine
import FleetTestSupport
import JSON
import Randomness
import TelemetryFormats
import Testing

/// Messages of every format, garbled by a seed. `FUZZ=200000` sends that many, `SEED=n` chooses the seed.
struct MutationTests {
    private static let seed = Fuzzing.seed
    private static var messagesPerFormat: Int { Fuzzing.count(5_000) / formats.count }
    private static let formats = FormatTable.all.map(\.name).filter { $0 != "native" }

    @Test("Whatever a message looks like, nothing crashes and every message ends in one counter", arguments: formats)
    func garbled(name: String) throws {
        let format = try #require(FormatTable.named(name))
        let examples = try FormatCase.all(name).flatMap(\.messages)
        let broker = ScriptedBroker([
            .robots(id: name, format: format, topics: format.topics + ["#"]) { $0.maxPayload = format.maxPayload }
        ])
        let converter = Converter(format)
        var random = SeededRandom(seed: Self.seed)
        for index in 0..<Self.messagesPerFormat {
            var message = try #require(examples.randomElement(using: &random))
            if index >= examples.count {
                for _ in 0...Int.random(in: 0...2, using: &random) { message.garble(&random) }
            } else {
                message = examples[index]
            }
            broker.send(message.topicName, message.payload, retain: Int.random(in: 0..<8, using: &random) == 0)
            let line = converter.convert(
                Converter.Input(
                    topicName: message.topicName, payload: message.payload, retained: false,
                    arrival: broker.now.wall))
            #expect(line.isFinite, "\(line), seed \(Self.seed), message \(index)")
            if index % 50 == 0 {
                broker.wait(.milliseconds(Int.random(in: 0...2_000, using: &random)))
                broker.forget()
            }
        }
        let stats = broker.stats()
        #expect(AccountingTests.balances(stats), "seed \(Self.seed)")
        #expect(stats.number("received") == Double(Self.messagesPerFormat), "seed \(Self.seed)")
        for end in ["applied", "ignored", "rejected"] {
            #expect(stats.number(end) ?? 0 > 0, "nothing was \(end), seed \(Self.seed)")
        }
    }
}

extension FormatCase.Message {
    fileprivate mutating func garble(_ random: inout SeededRandom) {
        switch Int.random(in: 0..<10, using: &random) {
        case 0: topicName = Self.garbled(topic: topicName, &random)
        case 1: payload.removeLast(Int.random(in: 0...payload.count, using: &random))
        case 2: payload.insert(contentsOf: Self.badUTF8.randomElement(using: &random) ?? [], at: place(&random))
        case 3:
            if !payload.isEmpty {
                payload[place(&random) % payload.count] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            }
        case 4: payload += payload.prefix(100)
        default:
            guard let value = try? JSONParser().parse(payload) else {
                payload.insert(UInt8.random(in: 0...255, using: &random), at: place(&random))
                return
            }
            var writer = JSONWriter()
            writer.value(value.garbled(&random))
            payload = writer.bytes
        }
    }

    private func place(_ random: inout SeededRandom) -> Int { Int.random(in: 0...payload.count, using: &random) }

    private static let badUTF8: [[UInt8]] = [
        [0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0], [0xE2, 0x82],
    ]

    private static func garbled(topic: String, _ random: inout SeededRandom) -> String {
        var levels = topic.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        let index = Int.random(in: 0..<levels.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: levels[index] = ""
        case 1: levels[index] = "%25é\u{301}"
        case 2: levels.insert("extra", at: index)
        default: if levels.count > 1 { levels.remove(at: index) }
        }
        let topic = levels.joined(separator: "/")
        // What begins with $ or below the bridge's own prefix is on no filter here.
        return topic.isEmpty || topic.hasPrefix("$") ? "x" : topic
    }
}

extension JSONValue {
    /// Whether all its numbers are numbers.
    fileprivate var isFinite: Bool {
        switch self {
        case .number(let number): number.isFinite
        case .array(let elements): elements.allSatisfy(\.isFinite)
        case .object(let object): object.members.allSatisfy(\.value.isFinite)
        default: true
        }
    }

    /// Another value in some place.
    func garbled(_ random: inout SeededRandom) -> JSONValue {
        switch self {
        case .object(let object) where !object.isEmpty && Int.random(in: 0..<5, using: &random) > 0:
            var result = JSONObject()
            let chosen = Int.random(in: 0..<object.count, using: &random)
            for (index, member) in object.members.enumerated() {
                if index != chosen {
                    result.append(member.key, member.value)
                } else if Int.random(in: 0..<6, using: &random) > 0 {
                    result.append(member.key, member.value.garbled(&random))
                }
            }
            return .object(result)
        case .array(var elements) where !elements.isEmpty && Int.random(in: 0..<5, using: &random) > 0:
            let chosen = Int.random(in: 0..<elements.count, using: &random)
            elements[chosen] = elements[chosen].garbled(&random)
            return .array(elements)
        default: return replaced(&random)
        }
    }

    private func replaced(_ random: inout SeededRandom) -> JSONValue {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: return .null
        case 1: return .bool(Bool.random(using: &random))
        case 2:
            return .string(
                ["", "NaN", "1e999", "-0", "12", "é", "0x39", " 7 ", "\u{0}", "2026-13-45T99:99:99Z"].randomElement(
                    using: &random) ?? "")
        case 3: return .array([self, self])
        case 4: return .object(["x": self])
        case 5:
            var nested = self
            for _ in 0..<Int.random(in: 1...40, using: &random) { nested = .array([nested]) }
            return nested
        case 6:
            return .bigInteger(
                ["9223372036854775807", "18446744073709551615", "-9223372036854775808"].randomElement(using: &random)
                    ?? "")
        default:
            let numbers = [
                0, -1, 1e308, -1e308, 1e-300, 9.007e15, 1e18, 4_294_967_296, -2_147_483_649, 0.5, 361, 1e11, 1e17,
            ]
            return .number(numbers.randomElement(using: &random) ?? 0)
        }
    }
}
