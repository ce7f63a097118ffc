import FleetTestSupport
import Glibc
import LocalBroker
import MQTTClient
import MQTTModel
import Testing

@Suite("Connection", .enabled(if: Broker.isInstalled))
struct ConnectionTests {
    @Test("The broker's limits come with the connection")
    func capabilities() throws {
        let settings = ["max_packet_size 1000", "max_inflight_messages 5", "max_keepalive 12"]
        try Broker.withBroker(settings: settings) { broker in
            let client = try TestClient(port: broker.port)
            let capabilities = client.connection.capabilities
            #expect(capabilities.maximumPacketSize == 1_000)
            #expect(capabilities.receiveMaximum == 5)
            #expect(capabilities.keepAlive == .seconds(12))
            #expect(capabilities.assignedClientIdentifier?.isEmpty == false)
            #expect(client.connection.freeInFlight == 5, "the broker takes fewer than our own limit")
        }
    }

    @Test("A host name is looked up")
    func hostName() throws {
        try Broker.withBroker { broker in
            let client = try TestClient(port: broker.port) { $0.host = "localhost" }
            #expect(client.connection.state == .connected)
        }
    }

    @Test("A name that does not exist fails at once, with the resolver's words")
    func unknownHost() throws {
        let connection = try MQTTConnection(ConnectOptions(host: "no-such-host.invalid"))
        let error = #expect(throws: MQTTError.self) { try connection.connect(now: .zero) }
        #expect(error?.reason == .hostNotFound)
        #expect(connection.state == .closed)
        #expect(connection.deadline == nil)
    }

    @Test("A broker that is not there is unreachable; when it is back, the next attempt connects")
    func absentBroker() throws {
        try Broker.withBroker { broker in
            broker.kill()
            let error = #expect(throws: MQTTError.self) { try TestClient(port: broker.port) }
            #expect(error?.reason == .unreachable)
            try broker.start()
            #expect(try TestClient(port: broker.port).connection.state == .connected)
        }
    }

    @Test("A refused login says why, as the last event")
    func refusedLogin() throws {
        try Broker.withBroker(settings: ["allow_anonymous false"]) { broker in
            var options = ConnectOptions(host: "127.0.0.1", port: broker.port)
            options.username = "robot"
            options.password = Secret("wrong")
            let connection = try MQTTConnection(options)
            let events = try run(connection)
            #expect(events == [.refused(.notAuthorized, reasonString: nil)])
            #expect(connection.service(readable: true, now: monotonicNow()) == [])
        }
    }

    @Test("A host that accepts the connection and says nothing is given up at the connect timeout, not before")
    func silentHost() throws {
        try withListener { port, _ in
            let connection = try MQTTConnection(ConnectOptions(host: "127.0.0.1", port: port))
            try connection.connect(now: .seconds(100))
            #expect(connection.service(readable: false, now: .seconds(100)) == [])
            #expect(connection.service(readable: false, now: .milliseconds(109_999)) == [])
            #expect(connection.deadline == .seconds(110))
            let events = connection.service(readable: false, now: .seconds(110))
            #expect(events == [.disconnected(.connectTimeout)])
            #expect(connection.descriptor == nil)
        }
    }

    @Test("A host that answers in another protocol ends the attempt")
    func otherProtocol() throws {
        try withListener { port, listener in
            let connection = try MQTTConnection(ConnectOptions(host: "127.0.0.1", port: port))
            try connection.connect(now: monotonicNow())
            let peer = accept(listener, nil, nil)
            defer { close(peer) }
            let greeting =
                "HTTP/1.1 400 Bad Request\r\nContent-Length: 100\r\n\r\n" + String(repeating: "x", count: 100)
            #expect(write(peer, greeting, greeting.utf8.count) == greeting.utf8.count)
            let events = try run(connection)
            guard case .disconnected(.protocolError)? = events.last else {
                Issue.record("\(events)")
                return
            }
            #expect(events.count == 1)
        }
    }

    @Test("The end of the broker is seen, by SIGKILL and SIGTERM alike", arguments: [true, false])
    func brokerEnds(killed: Bool) throws {
        try Broker.withBroker { broker in
            let client = try TestClient(port: broker.port)
            if killed { broker.kill() } else { broker.stop() }
            #expect(try client.waitForEnd() == .disconnected(.closedByPeer))
        }
    }

    /// mosquitto 2.0.11 closes without the code that MQTT 5 has for it.
    @Test("A second client of the same identifier takes the session over")
    func takeover() throws {
        try Broker.withBroker { broker in
            let first = try TestClient(port: broker.port, "same")
            let second = try TestClient(port: broker.port, "same")
            #expect(try first.waitForEnd() == .disconnected(.closedByPeer))
            #expect(second.connection.state == .connected)
        }
    }

    @Test("A broker that hangs is noticed within one and a half keep-alives, an idle one is not given up")
    func hangingBroker() throws {
        try Broker.withBroker { hanging in
            try Broker.withBroker { idle in
                let lost = try TestClient(port: hanging.port, patience: .seconds(12)) { $0.keepAlive = .seconds(5) }
                let kept = try TestClient(port: idle.port) { $0.keepAlive = .seconds(5) }
                hanging.pause()
                let start = monotonicNow()
                // Both at once: waiting for one does the other's keep-alive too.
                try lost.wait("the end") {
                    _ = try? kept.wait("nothing", atMost: .zero)
                    return lost.connection.state == .closed
                }
                let elapsed = monotonicNow() - start
                #expect(lost.end == .disconnected(.keepAliveTimeout))
                #expect(elapsed > .seconds(6) && elapsed < .seconds(9), "\(elapsed)")
                // Past the moment when the broker would have given up a client that sends no ping.
                _ = try? kept.wait("nothing", atMost: .seconds(10) - elapsed)
                #expect(kept.connection.state == .connected)
                try kept.publish("still/here", "")
            }
        }
    }

    @Test("A session outlives its connection where an expiry was asked for, and only then")
    func session() throws {
        try Broker.withBroker { broker in
            for (expiry, isKept) in [(Duration.seconds(100), true), (.zero, false)] {
                func connect() throws -> TestClient {
                    try TestClient(port: broker.port, "keeper") {
                        $0.cleanStart = false
                        $0.sessionExpiry = expiry
                    }
                }
                let first = try connect()
                try first.subscribe("queue/#")
                first.cut()
                try TestClient(port: broker.port).publish("queue/1", "while away")
                let second = try connect()
                #expect(second.sessionPresent == isKept)
                #expect(try second.settle().map(\.text) == (isKept ? ["while away"] : []))
                try second.unsubscribe("queue/#")
            }
        }
    }
}

/// Services a connection to its end.
private func run(_ connection: MQTTConnection) throws -> [MQTTEvent] {
    var events: [MQTTEvent] = []
    var poll = PollSet()
    if connection.state == .idle { try connection.connect(now: monotonicNow()) }
    while let deadline = connection.deadline, monotonicNow() < .seconds(60) {
        poll.removeAll()
        let slot = poll.add(connection)
        try poll.wait(atMost: deadline - monotonicNow())
        events += connection.service(readable: poll[slot].readable, now: monotonicNow())
    }
    return events
}

extension ConnectionTests {
    @Test("The socket sends small packets at once, notices a dead network, and is not inherited")
    func socketOptions() throws {
        try Broker.withBroker { broker in
            let client = try TestClient(port: broker.port) { $0.keepAlive = .seconds(20) }
            let descriptor = try #require(client.connection.descriptor)
            func option(_ name: Int32) -> Int32 {
                var value: Int32 = -1
                var length = socklen_t(MemoryLayout.size(ofValue: value))
                getsockopt(descriptor, Int32(IPPROTO_TCP), name, &value, &length)
                return value
            }
            #expect(option(TCP_NODELAY) == 1)
            #expect(option(TCP_USER_TIMEOUT) == 30_000)
            #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0)
        }
    }
}
