import MQTTModel
import Testing

@Suite("A broker's URL")
struct BrokerAddressTests {
    @Test(
        "Names host and port",
        arguments: [
            ("mqtt://localhost", "localhost", 1883), ("mqtt://127.0.0.1:1884", "127.0.0.1", 1884),
            ("MQTT://broker-1.example.org:65535/", "broker-1.example.org", 65535), ("mqtt://[::1]:1", "::1", 1),
            ("mqtt://[fe80::1%eth0]", "fe80::1%eth0", 1883),
        ] as [(String, String, UInt16)])
    func parsed(url: String, host: String, port: UInt16) throws {
        #expect(try BrokerAddress(url: url) == BrokerAddress(host: host, port: port))
    }

    @Test(
        "Over TLS it has another port unless it names one",
        arguments: [("mqtts://b", 8883), ("MQTTS://b:1883", 1883), ("mqtts://[::1]", 8883)] as [(String, UInt16)])
    func secure(url: String, port: UInt16) throws {
        let address = try BrokerAddress(url: url)
        #expect(address.isSecure && address.port == port)
        #expect(try !BrokerAddress(url: "mqtt://b:8883").isSecure)
    }

    @Test("Is written as it is read", arguments: ["mqtt://localhost:1883", "mqtt://[::1]:7", "mqtts://localhost:8883"])
    func written(url: String) throws {
        #expect(try BrokerAddress(url: url).url == url)
    }

    @Test(
        "Anything else is refused with the reason",
        arguments: [
            ("localhost:1883", "mqtt://host:port"), ("", "mqtt://host:port"), ("mqtt:/x", "mqtt://host:port"),
            ("tls://x", "mqtts://"), ("ssl://x", "mqtts://"), ("ws://x", "WebSockets"), ("http://x", "scheme"),
            ("mqtt://", "names a host"), ("mqtt://:1883", "names a host"), ("mqtt://a b", "names a host"),
            ("mqtt://bröker", "names a host"), ("mqtt://x:0", "1 to 65535"), ("mqtt://x:65536", "1 to 65535"),
            ("mqtt://x:", "1 to 65535"), ("mqtt://x:+1", "1 to 65535"), ("mqtt://::1:1883", "brackets"),
            ("mqtt://[::1", "not closed"), ("mqtt://[::1]1883", "1 to 65535"), ("mqtt://[::g]", "IPv6"),
            ("mqtt://[::1\0]", "IPv6"), ("mqtt://[::1%]", "IPv6"), ("mqtt://x/topic", "ends after the port"),
            ("mqtt://x?y", "ends after the port"), ("mqtt://u:secret@x", "credentials"),
            ("mqtts://u:secret@x", "credentials"),
            ("mqtt://u:se/cret@x", "credentials"), ("mqtt://u:se#cret@x:1883", "credentials"),
            ("mqtt://x\0", "names a host"),
            ("mqtt://x:1:2", "brackets"), ("mqtt://[]", "IPv6"), ("http://u:secret@x", "credentials"),
        ])
    func refused(url: String, word: String) {
        let error = #expect(throws: BrokerAddress.SyntaxError.self) { try BrokerAddress(url: url) }
        #expect(error?.message.contains(word) == true, "\(error?.message ?? "")")
        #expect(error?.message.contains("cret") != true)
        #expect(error?.isAboutCredentials == url.contains("@"))
    }

    @Test("A secret prints as ***")
    func secret() {
        let secret = Secret("Zx9")
        #expect("\(secret)" == "***")
        #expect("\([secret])" == "[***]")
        var dumped = ""
        dump((1, secret), to: &dumped)
        #expect(!dumped.contains("Zx9"))
        #expect(secret.revealed == Array("Zx9".utf8))
    }
}
