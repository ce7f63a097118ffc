import MQTTModel
import Testing

@Test(
    "A return code of MQTT 3.1.1 is told as the reason code that means the same",
    arguments: [
        (0, "success (0)"), (1, "unsupported protocol version (132)"), (2, "client identifier not valid (133)"),
        (3, "server unavailable (136)"), (4, "bad user name or password (134)"), (5, "not authorized (135)"),
        (6, "unspecified error (128)"), (255, "unspecified error (128)"),
    ] as [(UInt8, String)])
func connectReturnCodes(code: UInt8, text: String) {
    #expect(ReasonCode(connectReturnCode: code).description == text)
}
