import Expressions
import Foundation
import JSON
import Testing

/// The expression fixtures of the MapLibre Style Specification (Fixtures/NOTICE.txt): third-party test data.
struct FixtureTests {
    @Test("Upstream's fixtures agree, to the texts of the messages", arguments: Fixture.all)
    func agrees(fixture: Fixture) throws {
        let json = try fixture.json
        #expect(fixture.fault(of: ExpressionProbe.answer(to: .object(json)), expected: json["expected"]) == nil)
    }

    @Test("No fixture got lost", arguments: [("core", 265), ("ext", 75)])
    func count(kind: String, count: Int) {
        #expect(Fixture.all.count { $0.kind == kind } == count)
    }
}

struct Fixture: Sendable, CustomTestStringConvertible {
    let path: String
    let kind: String

    var testDescription: String { path }

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")

    /// Those of `index.tsv`, which has a line for each file.
    static let all: [Fixture] = {
        guard let index = try? String(contentsOf: folder.appending(path: "index.tsv"), encoding: .utf8) else {
            return []
        }
        return index.split(separator: "\n").dropFirst().map { line in
            let cells = line.split(separator: "\t", omittingEmptySubsequences: false)
            return Fixture(path: String(cells[0]), kind: String(cells[1]))
        }
    }()

    var json: JSONObject {
        get throws {
            let data = try Data(contentsOf: Self.folder.appending(path: path))
            return try #require(try JSONParser().parse(Array(data)).object)
        }
    }

    /// What differs from the expected answer; `nil` for nothing.
    func fault(of answer: JSONValue, expected: JSONValue?) -> String? {
        let expected = expected?.object ?? JSONObject()
        let answer = answer.object ?? JSONObject()
        if answer["compiled"] != expected["compiled"] {
            return
                "compiled to \(answer["compiled"]?.text ?? "nothing"), not \(expected["compiled"]?.text ?? "nothing")"
        }
        let outputs = (answer["outputs"]?.array ?? [], expected["outputs"]?.array ?? [])
        guard outputs.0.count == outputs.1.count else { return "\(outputs.0.count) outputs" }
        for (output, wanted) in zip(outputs.0, outputs.1) where !agree(output, wanted) {
            return "\(output.text), not \(wanted.text)"
        }
        return nil
    }

    /// Numbers agree to six significant digits, to which the files are cut; distances also to 5 mm.
    private func agree(_ a: JSONValue, _ b: JSONValue) -> Bool {
        switch (a, b) {
        case (.number(let x), .number(let y)):
            let largest = max(x.magnitude, y.magnitude)
            let unit = largest > 0 ? min(1, pow(10, log10(largest).rounded(.up) - 6)) : 0
            return (x - y).magnitude <= max(2 * unit, path.hasPrefix("distance/") ? 0.005 : 0)
        case (.array(let x), .array(let y)): return x.count == y.count && zip(x, y).allSatisfy { agree($0, $1) }
        case (.object(let x), .object(let y)):
            return x.count == y.count
                && x.members.allSatisfy { member in y[member.key].map { agree(member.value, $0) } ?? false }
        default: return a == b
        }
    }
}
