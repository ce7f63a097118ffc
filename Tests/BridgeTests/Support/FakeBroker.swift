import Glibc

/// One connection of a client, answered by the test.
final class FakeBroker {
    struct Failure: Error { var what: String }

    private static let patience: Int32 = 10_000  // milliseconds

    let port: UInt16
    private var listener: Int32
    private var connection: Int32 = -1

    init() throws {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let (listener, size) = (listener, length)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, size) == 0 && listen(listener, 1) == 0
                    && getsockname(listener, address, &length) == 0
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        guard isListening else { throw Failure(what: "no port to listen on") }
    }

    deinit { close() }

    func accept() throws {
        try wait(for: listener, "a connection")
        connection = Glibc.accept(listener, nil, nil)
        _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
    }

    func send(_ bytes: [UInt8]) { _ = write(connection, bytes, bytes.count) }

    /// The next MQTT control packet, whole; lengths of one or two bytes only.
    func nextPacket() throws -> [UInt8] {
        var packet = try read(2)
        var length = Int(packet[1])
        if length >= 0x80 {
            packet += try read(1)
            length = length & 0x7F | Int(packet[2]) << 7
        }
        return packet + (try read(length))
    }

    /// Answers as a broker that has nothing stored, until a number of subscriptions has come.
    ///
    /// - Parameter properties: Of each packet with properties, none: a zero in MQTT 5, nothing before.
    func subscriptions(_ count: Int, properties: [UInt8]) throws -> [[UInt8]] {
        var subscriptions: [[UInt8]] = []
        while subscriptions.count < count {
            let packet = try nextPacket()
            let body = Array(packet.dropFirst(packet[1] < 0x80 ? 2 : 3))
            switch packet[0] {
            case 0x82:
                subscriptions.append(packet)
                answer(0x90, body.prefix(2) + properties + [packet.last ?? 0])
            case 0xA2: answer(0xB0, body.prefix(2) + properties + properties)
            case 0x32:  // the probe comes back
                let end = 2 + (Int(body[0]) << 8 | Int(body[1]))
                answer(0x40, body[end..<end + 2])
                answer(0x30, body[..<end] + body[(end + 2)...])
            default: throw Failure(what: "a subscription, not packet \(packet[0])")
            }
        }
        return subscriptions
    }

    private func answer(_ type: UInt8, _ body: some Sequence<UInt8>) {
        let body = Array(body)
        send([type, UInt8(body.count)] + body)
    }

    func close() {
        if connection >= 0 { _ = Glibc.close(connection) }
        if listener >= 0 { _ = Glibc.close(listener) }
        (connection, listener) = (-1, -1)
    }

    private func read(_ count: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            try wait(for: connection, "\(count) bytes")
            var buffer = [UInt8](repeating: 0, count: count - bytes.count)
            let got = Glibc.read(connection, &buffer, buffer.count)
            guard got > 0 else { throw Failure(what: "the connection is over") }
            bytes += buffer.prefix(got)
        }
        return bytes
    }

    private func wait(for descriptor: Int32, _ what: String) throws {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&entry, 1, Self.patience) == 1 else { throw Failure(what: what) }
    }
}
