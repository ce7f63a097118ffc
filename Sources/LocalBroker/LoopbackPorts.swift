import Glibc

/// Returns a port of 127.0.0.1 on which nothing listens, below those that the system gives to outgoing connections: one
/// of these could take it, or even connect to itself.
func freePort() -> UInt16? {
    for _ in 0..<100 {
        let port = UInt16.random(in: 20_000..<32_000)
        if isFree(port: port) { return port }
    }
    return nil
}

/// Returns whether nothing listens there. Connections that have just ended do not count.
func isFree(port: UInt16) -> Bool {
    withSocket(
        { descriptor, address, length in
            var yes: Int32 = 1
            setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout.size(ofValue: yes)))
            return bind(descriptor, address, length)
        }, port: port)
}

/// Returns whether something accepts connections there.
func accepts(port: UInt16) -> Bool {
    withSocket({ connect($0, $1, $2) }, port: port)
}

private func withSocket(
    _ call: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32, port: UInt16
) -> Bool {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
            call(descriptor, address, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        }
    }
}
