import CommandLineTool
import Testing

@testable import fleet_sim

@Suite("Broker addresses")
struct BrokerAddressTests {
    @Test(
        "A host and a port",
        arguments: [
            ("mqtt://127.0.0.1:1884", "127.0.0.1", 1884), ("mqtt://broker.example", "broker.example", 1883),
            ("mqtt://localhost/", "localhost", 1883), ("mqtt://[::1]:65535", "::1", 65535),
            ("mqtt://[::1]", "::1", 1883),
        ] as [(String, String, UInt16)])
    func accepted(url: String, host: String, port: UInt16) throws {
        let address = try BrokerAddress(url: url)
        #expect(address == BrokerAddress(host: host, port: port))
        #expect(try BrokerAddress(url: address.description) == address)
    }

    @Test(
        "Anything else is refused",
        arguments: [
            "", "mqtt://", "127.0.0.1", "127.0.0.1:1883", "http://x", "mqtts://x", "mqtt://:1883", "mqtt://x:0",
            "mqtt://x:65536",
            "mqtt://x:", "mqtt://x:1x", "mqtt://x:+1", "mqtt://x:1:2", "mqtt://[::1", "mqtt://[::1]1883", "mqtt://a b",
            "mqtt://x/path", "mqtt://x?y", "mqtt://x\u{0}", "mqtt://bücher", "mqtt://[]",
        ])
    func refused(url: String) {
        #expect(throws: UsageError.self) { try BrokerAddress(url: url) }
    }

    @Test("A password is refused and not repeated", arguments: ["mqtt://me:secret@x", "https://me:secret@x"])
    func secret(url: String) {
        do {
            _ = try BrokerAddress(url: url)
            Issue.record("accepted")
        } catch {
            #expect(!error.message.contains("secret"))
        }
    }

    @Test("A source's id is one topic level", arguments: ["", "a/b", "+", "a#", "$SYS", "a\nb", "a\u{0}"])
    func topicLevel(text: String) {
        #expect(throws: UsageError.self) { try RunCommand.command.parse(["--source=\(text)"]) }
    }
}
