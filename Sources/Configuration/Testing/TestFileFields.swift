internal import JSON
internal import SettingsFile
internal import Timestamps
internal import YAML

/// A test file as it was read.
struct TestFileDraft {
    var configuration: String?
    var configurationPlace = YAMLPlace(line: 1, column: 1)
    var tests: [TestDraft] = []

    static var mapping: Mapping<TestFileDraft> {
        Mapping(fields: [
            Field(
                "configuration", .text,
                "The configuration file, from the test file's folder; absent: the file's own name without .test"
            ) {
                $0.configuration = $1
                $0.configurationPlace = $2.place
            },
            Field("tests", .tests, "The tests.", required: true) { file, tests, _ in file.tests = tests },
        ])
    }
}

/// One test: a location's fields or messages, and what they must come to.
struct TestDraft {
    var place: YAMLPlace
    var name: String?
    var location: YAMLNode?
    var start: Timestamp?
    var messages: [StepDraft]?
    var expect: YAMLNode?

    static var mapping: Mapping<TestDraft> {
        Mapping(fields: [
            Field("name", .text, \.name, "What is tested."),
            Field("location", .anything, \.location, "Fields of a styled state."),
            Field("start", .time, \.start, "When the messages begin."),
            Field("messages", .steps, \.messages, "Messages in their order."),
            Field("expect", .anything, "What must come out in the end.", required: true) { draft, node, _ in
                draft.expect = node
            },
        ])
    }
}

/// A message, or time alone that passes.
struct StepDraft {
    var place: YAMLPlace
    var after = Duration.zero
    var topic: String?
    var payload: YAMLNode?
    var payloadText: String?
    var payloadBase64: String?
    var retained = false
    var expect: YAMLNode?

    static var mapping: Mapping<StepDraft> {
        Mapping(fields: [
            Field("after", .duration(in: .zero ... .longest), \.after, "Time since the step before."),
            Field("topic", .text, \.topic, "The message's topic."),
            Field("payload", .anything, \.payload, "The payload as JSON."),
            Field("payloadText", .letterByLetter, \.payloadText, "The payload as text."),
            Field("payloadBase64", .text, \.payloadBase64, "The payload's bytes in base64."),
            Field("retained", .bool, \.retained, "Whether it is a stored copy."),
            Field("expect", .anything, \.expect, "What must come of it."),
        ])
    }
}

extension ValueKind where Value == YAMLNode {
    static var anything: ValueKind { ValueKind(schema: [:]) { node, _ in node } }
}

extension ValueKind where Value == String {
    /// Any scalar as it was written, the empty one too.
    fileprivate static var letterByLetter: ValueKind {
        ValueKind(schema: ["type": "string"]) { node, context in
            if node.scalar == nil { context.expected("text", node) }
            return node.scalar?.text
        }
    }
}

extension ValueKind where Value == Timestamp {
    static var time: ValueKind {
        ValueKind<String>.text.then { text, node, context in
            let time = Timestamp(iso8601: text)
            if time == nil { context.expected("a time such as 2026-11-29T12:00:00Z", node) }
            return time
        }
    }
}

extension ValueKind where Value == [TestDraft] {
    static var tests: ValueKind {
        .drafts("a list of tests", TestDraft.mapping) { TestDraft(place: $0) }
    }
}

extension ValueKind where Value == [StepDraft] {
    static var steps: ValueKind {
        .drafts("a list of messages", StepDraft.mapping) { StepDraft(place: $0) }
    }
}

extension ValueKind {
    fileprivate static func drafts<Draft>(
        _ what: String, _ mapping: Mapping<Draft>, _ make: @escaping (YAMLPlace) -> Draft
    ) -> ValueKind where Value == [Draft] {
        ValueKind(schema: ["type": "array", "items": mapping.schema]) { node, context in
            guard let nodes = node.sequence else {
                context.expected(what, node)
                return nil
            }
            return nodes.enumerated().map { index, node in
                var draft = make(node.place)
                mapping.read(node, into: &draft, context.entering(index))
                return draft
            }
        }
    }
}
