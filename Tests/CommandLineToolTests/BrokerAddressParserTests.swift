import CommandLineTool
import MQTTModel
import Testing

@Suite("A broker on the command line")
struct BrokerAddressParserTests {
    private static let broker = Option(
        "broker", "URL", .brokerAddress, default: BrokerAddress(host: "127.0.0.1"), help: "")

    private func broker(_ word: String) throws(UsageError) -> BrokerAddress {
        let command = Command("run", summary: "", options: [Self.broker]) { _ in .success }
        return try command.parse(["--broker", word])[Self.broker]
    }

    @Test("Is a URL")
    func accepted() throws {
        #expect(try broker("mqtt://[::1]:1884") == BrokerAddress(host: "::1", port: 1884))
    }

    @Test("A password is refused and not repeated", arguments: ["mqtt://me:secret@x", "https://me:secret@x"])
    func secret(url: String) {
        let error = #expect(throws: UsageError.self) { try broker(url) }
        #expect(error?.message.contains("credentials") == true)
        #expect(error?.message.contains("secret") != true)
    }
}
