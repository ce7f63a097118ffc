import FleetTestSupport
import Glibc
import LocalBroker
import Testing

@Suite(
    "Certificates and passwords that change", .enabled(if: Broker.isInstalled && CertificateAuthority.isInstalled),
    .timeLimit(.minutes(5)))
struct RenewalTests {
    private let authority: CertificateAuthority

    init() throws { authority = try CertificateAuthority() }

    private func run(_ broker: EmbeddedBroker, _ settings: String) throws -> (ProductProcess, TemporaryFile) {
        let file = try TemporaryFile(
            "bridge.yaml",
            Settings.robots(bridge: ["broker: {url: \"mqtts://localhost:\(broker.port)\", clientId: c, \(settings)}"]))
        return (try ProductProcess("fleet-bridge", ["run", "--config", file.path, "--for", "90s"]), file)
    }

    @Test("A renewed certificate of either side is used at the next connect; an expired one is told and waited out")
    func certificates() throws {
        let server = try authority.issue("server")
        var ours = try authority.issue("bridge", subject: "bridge", days: 5)
        let settings = [
            "cafile \(authority.caFile)", "certfile \(server.certFile)", "keyfile \(server.keyFile)",
            "require_certificate true", "use_subject_as_username true",
        ]
        try Broker.withBroker(settings: settings) { broker in
            let (bridge, file) = try run(
                broker, "caFile: \(authority.caFile), certFile: \(ours.certFile), keyFile: \(ours.keyFile)")
            try bridge.waitForErrors(" ready ")
            try bridge.waitForErrors("a certificate expires soon certificate=\"/CN=bridge\" validUntil=")

            ours = try authority.issue("bridge", subject: "renewed", days: 25)
            broker.kill()
            try authority.issue("server")
            try broker.start()
            try bridge.waitForErrors(" ready ", times: 2)
            #expect(!bridge.errors.contains("/CN=renewed"), "there is time")

            broker.kill()
            try authority.issue("server", days: -1)
            try broker.start()
            try bridge.waitForErrors("certificate expired: /CN=localhost for localhost was valid until 20", times: 2)
            broker.kill()
            try authority.issue("server")
            try broker.start()
            try bridge.waitForErrors(" ready ", times: 3)

            unlink(ours.keyFile)
            broker.kill()
            try broker.start()
            try bridge.waitForErrors("keyFile \(ours.keyFile): No such file or directory")
            bridge.send(SIGTERM)
            #expect(try bridge.wait() == 0)
            withExtendedLifetime(file) {}
        }
    }

    @Test("A changed password is used at the next connect")
    func password() throws {
        let server = try authority.issue("server")
        let (passwords, secret) = (authority.folder + "/passwords", try TemporaryFile("secret", "bad\n"))
        try CertificateAuthority.run(["mosquitto_passwd", "-b", "-c", passwords, "bridge", "gøød@:/#%+ \"'"])
        chmod(passwords, 0o644)
        let settings = [
            "certfile \(server.certFile)", "keyfile \(server.keyFile)", "allow_anonymous false",
            "password_file \(passwords)",
        ]
        try Broker.withBroker(settings: settings) { broker in
            let (bridge, file) = try run(
                broker, "caFile: \(authority.caFile), username: bridge, passwordFile: \(secret.path)")
            try bridge.waitForErrors("the broker refuses the connection: not authorized (135)")
            try secret.replace(with: "gøød@:/#%+ \"'\n")
            try bridge.waitForErrors(" ready ")
            try secret.replace(with: "")
            broker.kill()
            try broker.start()
            try bridge.waitForErrors("passwordFile \(secret.path) cannot be used: expected a password")
            bridge.send(SIGTERM)
            #expect(try bridge.wait() == 0)
            withExtendedLifetime(file) {}
        }
    }

    @Test("check names what is wrong with a certificate, and ends with 2")
    func check() throws {
        let (ours, other) = (try authority.issue("a"), try authority.issue("b"))
        func check(_ keyFile: String) throws -> ProductProcess {
            let file = try TemporaryFile(
                "bridge.yaml",
                """
                broker:
                  url: mqtts://broker.example
                  caFile: \(authority.caFile)
                  certFile: \(ours.certFile)
                  keyFile: \(keyFile)
                """)
            let process = try ProductProcess("fleet-bridge", ["check", file.path])
            _ = try process.wait()
            return process
        }
        #expect(try check(ours.keyFile).wait() == 0)
        let refused = try check(other.keyFile)
        #expect(try refused.wait() == 2)
        #expect(refused.errors.contains("error: broker: keyFile \(other.keyFile) does not belong to"))
    }
}
