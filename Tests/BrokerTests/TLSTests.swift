import FleetTestSupport
import Glibc
import LocalBroker
import MQTTClient
import MQTTModel
import Testing

@Suite("TLS", .enabled(if: Broker.isInstalled && CertificateAuthority.isInstalled))
struct TLSTests {
    /// A broker with a certificate, for `localhost` and 127.0.0.1 unless said otherwise.
    private func withBroker(
        _ authority: CertificateAuthority, hosts: String = "DNS:localhost,IP:127.0.0.1", days: Int = 30,
        settings: [String] = [], _ body: (EmbeddedBroker) throws -> Void
    ) throws {
        let server = try authority.issue("server", hosts: hosts, days: days)
        let files = ["certfile \(server.certFile)", "keyfile \(server.keyFile)"]
        try Broker.withBroker(settings: files + settings, body)
    }

    private func connect(
        _ broker: EmbeddedBroker, _ authority: CertificateAuthority?,
        _ adjust: (inout ConnectOptions) -> Void = { _ in }
    ) throws -> TestClient {
        try TestClient(port: broker.port) {
            $0.tls = TLSOptions()
            $0.tls?.caFile = authority?.caFile
            adjust(&$0)
        }
    }

    /// Why a connection does not come about.
    private func failure(
        _ broker: EmbeddedBroker, _ authority: CertificateAuthority?,
        _ adjust: (inout ConnectOptions) -> Void = { _ in }
    ) -> String {
        do {
            _ = try connect(broker, authority, adjust)
            return "connected"
        } catch { return "\(error)" }
    }

    @Test(
        "Messages larger than any buffer pass in both directions, by each version", arguments: ["tlsv1.2", "tlsv1.3"])
    func messages(version: String) throws {
        let authority = try CertificateAuthority()
        try withBroker(authority, settings: ["tls_version \(version)"]) { broker in
            let client = try connect(broker, authority)
            try client.subscribe("a/#")
            let payload = (0..<2_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            for size in [0, 1, 16_384, 16_385, 2_000_000] {
                try client.publish(Message(topicName: "a/\(size)", payload: Array(payload[..<size]), qos: .atLeastOnce))
                let message = try client.next()
                #expect(message.payload.count == size && message.payload == Array(payload[..<size]))
            }
            for index in 0..<1_000 { try client.publish("a/b", "\(index)", qos: .atMostOnce) }
            #expect(try client.take(1_000).map(\.text) == (0..<1_000).map(String.init))
        }
    }

    @Test("An ended broker is a closed connection, a goodbye sends no will, a cut does")
    func ends() throws {
        let authority = try CertificateAuthority()
        try withBroker(authority) { broker in
            let watcher = try connect(broker, authority)
            try watcher.subscribe("will")
            for isCut in [false, true] {
                let client = try connect(broker, authority) {
                    $0.willMessage = Message(topicName: "will", payload: [1], qos: .atLeastOnce)
                }
                // More than the socket takes, so that the broker is still writing when the client goes.
                try client.subscribe("flood")
                for _ in 0..<20 {
                    try watcher.publish(Message(topicName: "flood", payload: [UInt8](repeating: 1, count: 200_000)))
                }
                if isCut { client.cut() } else { client.disconnect() }
                if isCut { #expect(try watcher.next().payload == [1]) } else { #expect(try watcher.settle().isEmpty) }
            }
            broker.kill()
            let end = try watcher.waitForEnd()
            #expect(end == .disconnected(.closedByPeer), "\(String(describing: end))")
        }
    }

    @Test("An expired certificate is refused with its name, its date and the host")
    func expired() throws {
        let authority = try CertificateAuthority()
        try withBroker(authority, days: -1) { broker in
            let failure = failure(broker, authority)
            #expect(failure.contains("TLS: certificate expired: /CN=localhost for 127.0.0.1 was valid until 20"))
        }
    }

    @Test("A certificate of an authority that is not trusted is refused with both names")
    func unknownAuthority() throws {
        let (authority, other) = (try CertificateAuthority("Theirs"), try CertificateAuthority("Ours"))
        try withBroker(authority) { broker in
            let failure = failure(broker, other)
            #expect(
                failure.contains("TLS: unknown certificate authority: /CN=localhost was issued by /CN=Theirs"),
                "\(failure)")
            #expect(failure.contains(other.caFile))
            #expect(self.failure(broker, nil).contains("the system's authorities does not vouch for"))
        }
    }

    @Test("A certificate for another host is refused with whom it is for; serverName says whom it should be for")
    func wrongHost() throws {
        let authority = try CertificateAuthority()
        try withBroker(authority, hosts: "DNS:broker.example,IP:192.0.2.1") { broker in
            let failure = failure(broker, authority)
            #expect(failure.contains("TLS: certificate for another host: /CN=localhost is for DNS:broker.example"))
            #expect(failure.contains("not for 127.0.0.1"))
            for name in ["broker.example", "192.0.2.1"] {
                let client = try connect(broker, authority) { $0.tls?.serverName = name }
                #expect(client.connection.state == .connected)
            }
            for name in ["localhost", "example", "192.0.2.2"] {
                let failure = self.failure(broker, authority) { $0.tls?.serverName = name }
                #expect(failure.contains("not for \(name)"), "\(failure)")
            }
        }
    }

    @Test("A host is found in the certificate by its name as by its address")
    func hosts() throws {
        let authority = try CertificateAuthority()
        try withBroker(authority) { broker in
            for host in ["localhost", "127.0.0.1"] {
                let client = try connect(broker, authority) { $0.host = host }
                #expect(client.connection.certificates.map(\.subject) == ["/CN=localhost"])
            }
        }
        try withBroker(authority, hosts: "DNS:localhost") { broker in
            #expect(failure(broker, authority).contains("certificate for another host"))
        }
    }

    @Test("Where no TLS is spoken, it says so, at either end")
    func plain() throws {
        let authority = try CertificateAuthority()
        try Broker.withBroker { broker in
            let failure = failure(broker, authority)
            #expect(failure.contains("TLS: "), "\(failure)")
        }
        try withBroker(authority) { broker in
            #expect(throws: TestClient.Failure.self) { try TestClient(port: broker.port) }
        }
    }

    @Test("A broker that wants a certificate gets ours; what it does not accept is told in its words")
    func clientCertificate() throws {
        let (authority, other) = (try CertificateAuthority(), try CertificateAuthority("Other"))
        let settings = ["cafile \(authority.caFile)", "require_certificate true", "use_identity_as_username true"]
        try withBroker(authority, settings: settings) { broker in
            func show(_ issued: CertificateAuthority.Issued) -> (inout ConnectOptions) -> Void {
                {
                    $0.tls?.certFile = issued.certFile
                    $0.tls?.keyFile = issued.keyFile
                }
            }
            let ours = try authority.issue("bridge", subject: "bridge", days: 3)
            let client = try connect(broker, authority, show(ours))
            #expect(client.connection.certificates.map(\.subject) == ["/CN=bridge", "/CN=localhost"])
            var time = timespec()
            clock_gettime(CLOCK_REALTIME, &time)
            let left = client.connection.certificates[0].notAfter - Int64(time.tv_sec)
            #expect((3 * 86_400 - 600...3 * 86_400).contains(left))

            #expect(failure(broker, authority).contains("set certFile and keyFile"))
            let expired = try authority.issue("expired", subject: "bridge", days: -1)
            #expect(failure(broker, authority, show(expired)).contains("the broker refuses our certificate: expired"))
            let foreign = try other.issue("foreign", subject: "bridge")
            #expect(
                failure(broker, authority, show(foreign)).contains("the broker refuses our certificate: it does not"))
        }
    }

    @Test("Files that cannot be used are named, with what is wrong, before anything is opened")
    func files() throws {
        let (authority, other) = (try CertificateAuthority(), try CertificateAuthority())
        let (ours, theirs) = (try authority.issue("a"), try other.issue("b"))
        let text = try TemporaryFile("text.pem", "no certificate")
        let encrypted = authority.folder + "/encrypted.key"
        try CertificateAuthority.run([
            "openssl", "ec", "-in", ours.keyFile, "-out", encrypted, "-aes128", "-passout", "pass:x",
        ])
        func fault(_ adjust: (inout TLSOptions) -> Void) -> String {
            var options = ConnectOptions(host: "127.0.0.1", port: 1)
            var tls = TLSOptions()
            adjust(&tls)
            options.tls = tls
            let error = #expect(throws: MQTTError.self) { try MQTTConnection(options) }
            #expect(error?.reason == .tls)
            return error?.detail ?? ""
        }
        #expect(fault { $0.caFile = "/nowhere/ca.pem" } == "caFile /nowhere/ca.pem: No such file or directory")
        #expect(fault { $0.caFile = "/tmp" } == "caFile /tmp is a folder")
        #expect(fault { $0.caFile = text.path }.hasPrefix("caFile \(text.path) holds no certificate in PEM: "))
        func fault(_ certFile: String, _ keyFile: String) -> String {
            fault {
                $0.certFile = certFile
                $0.keyFile = keyFile
            }
        }
        #expect(fault("/nowhere", ours.keyFile) == "certFile /nowhere: No such file or directory")
        #expect(fault(ours.keyFile, ours.keyFile).hasPrefix("certFile \(ours.keyFile) holds no certificate in PEM: "))
        #expect(fault(ours.certFile, "/nowhere") == "keyFile /nowhere: No such file or directory")
        #expect(fault(ours.certFile, ours.certFile).hasPrefix("keyFile \(ours.certFile) holds no private key in PEM: "))
        #expect(
            fault(ours.certFile, theirs.keyFile).hasSuffix(
                "does not belong to the certificate in certFile \(ours.certFile)"))
        #expect(fault(ours.certFile, encrypted).contains("is encrypted"))
    }

    @Test("A host that takes the connection and says nothing is waited for without work, and given up in time")
    func silentHost() throws {
        try withListener { port, _ in
            var options = ConnectOptions(host: "127.0.0.1", port: port)
            options.tls = TLSOptions()
            let connection = try MQTTConnection(options)
            let start = monotonicNow()
            try connection.connect(now: start)
            var poll = PollSet()
            // Until our first words are out.
            while connection.wantsWrite, monotonicNow() < start + .seconds(5) {
                poll.removeAll()
                let slot = poll.add(connection)
                try poll.wait(atMost: .seconds(1))
                #expect(connection.service(readable: poll[slot].readable, now: monotonicNow()).isEmpty)
            }
            #expect(!connection.wantsWrite)
            poll.removeAll()
            _ = poll.add(connection)
            #expect(try poll.wait(atMost: .zero) == 0)
            #expect(connection.deadline ?? .zero > monotonicNow() + .milliseconds(100))
            let events = connection.service(readable: false, now: start + .seconds(10))
            #expect(events == [.disconnected(.connectTimeout)])
        }
    }

    @Test("A connection that is refused or cut while hands are shaken ends at once", arguments: [true, false])
    func cutWhileShaking(isReset: Bool) throws {
        try withListener { port, listener in
            var options = ConnectOptions(host: "127.0.0.1", port: port)
            options.tls = TLSOptions()
            let connection = try MQTTConnection(options)
            try connection.connect(now: monotonicNow())
            var peer = accept(listener, nil, nil)
            if isReset {  // closing with something unread resets
                var bytes = [UInt8](repeating: 0, count: 1)
                while connection.wantsWrite { _ = connection.service(readable: false, now: monotonicNow()) }
                _ = recv(peer, &bytes, 1, 0)
            }
            close(peer)
            peer = -1
            var events: [MQTTEvent] = []
            var poll = PollSet()
            let limit = monotonicNow() + .seconds(5)
            while connection.deadline != nil, monotonicNow() < limit {
                poll.removeAll()
                let slot = poll.add(connection)
                try poll.wait(atMost: .seconds(1))
                events += connection.service(readable: poll[slot].readable, now: monotonicNow())
            }
            #expect(events.count == 1 && connection.state == .closed, "\(events)")
        }
    }
}
