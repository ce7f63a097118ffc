internal import DisplayRules
internal import FleetEngine
internal import Foundation
internal import JSON
internal import Locations
internal import MQTTModel
internal import SettingsFile
internal import Timestamps
internal import YAML

/// A test, checked and ready to run.
struct TestCase {
    let name: String
    let place: YAMLPlace
    private let kind: Kind

    private enum Kind {
        case location(Location, expected: YAMLNode)
        case messages([Step], start: Timestamp, end: Expectations)
    }

    struct Step {
        var place: YAMLPlace
        var after: Duration
        var message: Message?
        var expectations: Expectations?
    }

    /// So that a test without times gives the same bytes every day.
    private static let defaultStart = Timestamp(milliseconds: 1_767_268_800_000)  // 2026-01-01T12:00:00Z

    /// - Returns: `nil` where something is wrong, which then has been reported.
    init?(_ draft: TestDraft, index: Int, _ context: Context) {
        name = draft.name ?? "test \(index + 1)"
        place = draft.place
        guard let expect = draft.expect else { return nil }
        let expectContext = context.entering("expect")
        switch (draft.location, draft.messages) {
        case (let node?, nil):
            if draft.start != nil { context.error(at: place, "start belongs to messages; a location has a time") }
            expect.checkState(expectContext)
            expect.checkJSON(expectContext)
            guard let location = Self.location(node, context.entering("location")) else { return nil }
            kind = .location(location, expected: expect)
        case (nil, let drafts?):
            let steps = drafts.enumerated().map { Step($1, context.entering("messages").entering($0)) }
            kind = .messages(
                steps, start: draft.start ?? Self.defaultStart,
                end: Expectations(expect, isFinal: true, expectContext))
        default:
            context.error(at: place, "expected either location or messages")
            return nil
        }
    }

    private static func location(_ node: YAMLNode, _ context: Context) -> Location? {
        node.checkJSON(context)
        do throws(LocationFault) {
            return try Location(styledState: node.plainJSON, now: defaultStart)
        } catch {
            var place = node.place
            var found = node
            for key in error.path {
                guard let entry = found.mapping?.first(where: { $0.key.hasSameBytes(as: key) }) else { break }
                place = error.unknownKey == nil ? entry.value.place : entry.keyPlace
                found = entry.value
            }
            let suggestion = error.unknownKey.map { hint($0, Location.readKeys) } ?? ""
            context.error(at: place, error.message + suggestion)
            return nil
        }
    }
}

extension TestCase.Step {
    init(_ draft: StepDraft, _ context: Context) {
        place = draft.place
        after = draft.after
        expectations = draft.expect.map { Expectations($0, isFinal: false, context.entering("expect")) }
        let payloads = [draft.payload != nil, draft.payloadText != nil, draft.payloadBase64 != nil].count { $0 }
        guard let topic = draft.topic else {
            if payloads > 0 { context.error(at: place, "a payload without a topic") }
            if expectations?.end != nil { context.error(at: place, "no message is here to be applied or not") }
            return
        }
        if payloads != 1 {
            context.error(at: place, "expected one of payload, payloadText and payloadBase64 beside the topic")
        }
        var payload: [UInt8] = []
        if let text = draft.payloadText { payload = Array(text.utf8) }
        if let text = draft.payloadBase64 {
            if let data = Data(base64Encoded: text) {
                payload = Array(data)
            } else {
                context.error(at: place, "payloadBase64 is no base64")
            }
        }
        if let node = draft.payload {
            node.checkJSON(context.entering("payload"))
            payload = Array(node.plainJSON.text.utf8)
        }
        message = Message(topicName: topic, payload: payload, qos: .atLeastOnce, retain: draft.retained)
    }
}

extension TestCase {
    /// - Returns: What is not as expected.
    func run(_ configuration: EngineConfiguration) -> [TestFailure] {
        switch kind {
        case .location(let location, let expected): return Self.run(location, expected, configuration)
        case .messages(let steps, let start, let end): return Self.run(steps, start, end, configuration)
        }
    }

    private static func run(
        _ location: Location, _ expected: YAMLNode, _ configuration: EngineConfiguration
    ) -> [TestFailure] {
        let rules = configuration.displayRules
        let projected = location.position.flatMap { configuration.coordinateSystem?.project($0) }
        var errors: [RuleError] = []
        let display = rules.cascade(for: location).resolve(location, errors: &errors)
        var writer = JSONWriter()
        StyledState(location: location, display: display, projected: projected).write(to: &writer)
        var comparison = StateComparison()
        comparison.compare(expected, try? JSONParser().parse(writer.bytes))
        return comparison.differences.map { difference in
            var failure = TestFailure(difference, of: nil)
            if difference.path.count == 2, difference.path[0] == "display" {
                failure.reason = Explanation(of: location, by: rules).only(difference.path[1]).cause
            }
            return failure
        }
    }

    private static func run(
        _ steps: [Step], _ start: Timestamp, _ end: Expectations, _ configuration: EngineConfiguration
    ) -> [TestFailure] {
        let rehearsal = Rehearsal(configuration, start: start)
        var failures: [TestFailure] = []
        var all: [Message] = []
        for step in steps {
            rehearsal.wait(step.after)
            let outcome = step.message.map { rehearsal.send($0) }
            let passing = rehearsal.takePassing()
            all += passing
            guard let expectations = step.expectations else { continue }
            if let outcome, let end = expectations.end {
                failures += check(outcome, end.value, end.node)
            }
            failures += check(expectations, rehearsal, passing, prefix: configuration.prefix)
        }
        return failures + check(end, rehearsal, all, prefix: configuration.prefix)
    }

    private static func check(
        _ outcome: Rehearsal.Outcome, _ expected: Expectations.End, _ node: YAMLNode
    ) -> [TestFailure] {
        func failure(_ expected: String) -> [TestFailure] {
            [
                TestFailure(
                    line: node.place.line, column: node.place.column, subject: "the message", expected: expected,
                    actual: outcome.text)
            ]
        }
        switch (expected, outcome) {
        case (.applied, .applied), (.ignored(nil), .ignored): return []
        case (.ignored(let reason?), .ignored(let actual)):
            return reason.scalar.map { $0.text.hasSameBytes(as: actual) } == true
                ? [] : failure("ignored: \(reason.scalar?.text ?? "")")
        case (.rejected(let node), .rejected(let reason, let pointer, let detail)):
            if let scalar = node.scalar {
                if scalar.coreValue == .bool(true) || scalar.text.hasSameBytes(as: reason) { return [] }
                return failure("rejected: \(scalar.text)")
            }
            var comparison = StateComparison()
            comparison.compare(
                node,
                ["reason": .string(reason), "pointer": .string(pointer), "detail": .string(detail)])
            return comparison.differences.map { TestFailure($0, of: "the rejection") }
        case (.applied, _): return failure("applied")
        case (.ignored(let reason), _): return failure("ignored" + (reason?.scalar.map { ": \($0.text)" } ?? ""))
        case (.rejected(let node), _): return failure("rejected: \(node.scalar?.text ?? node.plainJSON.text)")
        }
    }

    private static func check(
        _ expectations: Expectations, _ rehearsal: Rehearsal, _ passing: [Message], prefix: String
    ) -> [TestFailure] {
        func document(_ topic: String) -> JSONValue? {
            rehearsal.retained(on: "\(prefix)/\(topic)").flatMap { bytes in try? JSONParser().parse(bytes) }
        }
        var failures: [TestFailure] = []
        for (topic, state, place) in expectations.states {
            let actual = document("\(topic)/state")
            guard let state else {
                if let actual {
                    failures.append(
                        TestFailure(
                            line: place.line, column: place.column, subject: topic, expected: "absent",
                            actual: actual.text))
                }
                continue
            }
            failures += differences(state, actual, topic)
        }
        for (id, status) in expectations.sources { failures += differences(status, document("\(id)/status"), id) }
        for (topic, events) in expectations.events {
            let actual = passing.filter { $0.topicName.hasSameBytes(as: "\(prefix)/\(topic)/event") }.map { message in
                (try? JSONParser().parse(message.payload)) ?? .null
            }
            failures += differences(events, .array(actual), "events of \(topic)")
        }
        return failures
    }

    private static func differences(_ expected: YAMLNode, _ actual: JSONValue?, _ subject: String) -> [TestFailure] {
        var comparison = StateComparison()
        comparison.compare(expected, actual)
        return comparison.differences.map { TestFailure($0, of: subject) }
    }
}

extension TestFailure {
    init(_ difference: StateComparison.Difference, of subject: String?) {
        let path = difference.path.joined(separator: ".")
        let parts = [subject, path.isEmpty ? nil : path].compactMap { $0 }
        self.init(
            line: difference.place.line, column: difference.place.column,
            subject: parts.isEmpty ? "the state" : parts.joined(separator: ": "), expected: difference.expected,
            actual: difference.actual)
    }
}

extension Rehearsal.Outcome {
    fileprivate var text: String {
        switch self {
        case .applied: "applied"
        case .ignored(let reason): "ignored: \(reason)"
        case .rejected(let reason, let pointer, let detail):
            "rejected: \(reason)\(pointer.isEmpty ? "" : " at \(pointer)")\(detail.isEmpty ? "" : ", \(detail)")"
        case .unrouted: "on a topic that no source asks for"
        }
    }
}
