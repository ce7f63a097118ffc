import CommandLineTool
import FleetTestSupport
import MQTTModel
import Testing

@testable import fleet_sim

@Suite("How simulated devices log in")
struct BrokerAccessTests {
    private func access(
        _ url: String = "mqtts://b", username: String? = "{source}/{device}", passwordFile: String? = nil,
        caFile: String? = nil
    ) throws -> BrokerAccess {
        try BrokerAccess(
            address: BrokerAddress(url: url), username: username, passwordFile: passwordFile, caFile: caFile)
    }

    private let device = DeviceIdentity(source: "vacuums", id: "v3", name: "", type: "", building: "", floor: 0)

    @Test("Each device is a user of its own, with the file's password, byte for byte but for one line break")
    func login() throws {
        let file = try TemporaryFile("password", " p@:ø \n")
        let options = try access(passwordFile: file.path, caFile: "ca.pem").options(for: device, format: "native")
        #expect(options.username == "vacuums/v3")
        #expect(options.password == Secret(" p@:ø "))
        #expect(options.port == 8883 && options.tls?.caFile == "ca.pem")
        let plain = try access("mqtt://b", username: nil).options(for: device, format: "native")
        #expect(plain.tls == nil && plain.username == nil && plain.password == nil)
    }

    @Test("What would not be used, or cannot be, is a usage error")
    func refused() throws {
        let (password, empty) = (try TemporaryFile("password", "x"), try TemporaryFile("password", "\n"))
        #expect(throws: UsageError.self) { try access(username: nil, passwordFile: password.path) }
        #expect(throws: UsageError.self) { try access(passwordFile: empty.path) }
        #expect(throws: UsageError.self) { try access(passwordFile: "/nowhere") }
        #expect(throws: UsageError.self) { try access("mqtt://b", caFile: "ca.pem") }
    }
}
