import MQTTModel
import Testing

@testable import MQTTClient

/// A change to usable options, and what it is about.
struct Change: Sendable, CustomStringConvertible {
    var description: String
    var apply: @Sendable (inout ConnectOptions) -> Void

    init(_ description: String, _ apply: @escaping @Sendable (inout ConnectOptions) -> Void) {
        (self.description, self.apply) = (description, apply)
    }

    var options: ConnectOptions {
        var options = ConnectOptions(host: "127.0.0.1", clientIdentifier: "test")
        apply(&options)
        return options
    }
}

private let keepAliveRange = "keep-alive must be whole seconds from 5 to 65535, or 0"
private let expiryRange = "session expiry must be whole seconds from 0 to 4294967295"

private let refused = [
    Change("no host") { $0.host = "" },
    Change("port 0") { $0.port = 0 },
    Change("NUL in a text") { $0.host = "a\u{0}b" },
    Change("NUL in a text") { $0.clientIdentifier = "a\u{0}b" },
    Change("NUL in a text") { $0.password = Secret("a\u{0}b") },
    Change("NUL in a text") { $0.willMessage = Message(topicName: "a\u{0}b", payload: []) },
    Change("a text longer than 65535 bytes") { $0.username = String(repeating: "x", count: 65_536) },
    Change("empty client identifier") { $0.clientIdentifier = "" },
    Change("MQTT 3.1.1: a password needs a user name") {
        $0.version = .mqtt311
        $0.password = Secret("x")
    },
    Change("a session to be continued needs a client identifier") {
        $0.clientIdentifier = nil
        $0.cleanStart = false
    },
    Change(keepAliveRange) { $0.keepAlive = .seconds(4) },
    Change(keepAliveRange) { $0.keepAlive = .milliseconds(5_500) },
    Change(keepAliveRange) { $0.keepAlive = .seconds(65_536) },
    Change(expiryRange) { $0.sessionExpiry = .seconds(-1) },
    Change(expiryRange) { $0.sessionExpiry = .milliseconds(1) },
    Change("in-flight limit must be 1 to 65535") { $0.inFlightLimit = 0 },
    Change("receive maximum must be at least 1") { $0.receiveMaximum = 0 },
    Change("will message longer than 65535 bytes") {
        $0.willMessage = Message(topicName: "a", payload: [UInt8](repeating: 0, count: 65_536))
    },
]

@Test("Options that the library would misread are refused before anything is opened", arguments: refused)
func refusedOptions(change: Change) {
    let error = #expect(throws: MQTTError.self) { try MQTTConnection(change.options) }
    #expect(error?.reason == .invalidOption)
    #expect(error?.detail == change.description)
}

private let usable = [
    Change("no keep-alive") { $0.keepAlive = .zero },
    Change("shortest keep-alive") { $0.keepAlive = .seconds(5) },
    Change("longest keep-alive") { $0.keepAlive = .seconds(65_535) },
    Change("session without end") { $0.sessionExpiry = .seconds(4_294_967_295) },
    Change("one publish at a time") { $0.inFlightLimit = 1 },
    Change("most publishes at a time") { $0.inFlightLimit = 65_535 },
    Change("largest will") { $0.willMessage = Message(topicName: "a", payload: [UInt8](repeating: 0, count: 65_535)) },
]

@Test("The limits themselves are usable", arguments: usable)
func usableOptions(change: Change) throws {
    #expect(try MQTTConnection(change.options).state == .idle)
}

@Test("A secret shows in no printed form")
func secretsAreHidden() {
    let options = Change("") { $0.password = Secret("open sesame") }.options
    var dumped = ""
    dump(options, to: &dumped)
    for text in ["\(options)", String(reflecting: options), dumped] {
        #expect(!text.contains("sesame"))
        #expect(text.contains("***"))
    }
}
