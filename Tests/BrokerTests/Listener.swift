import Glibc
import Testing

/// Runs `body` with a port whose connections the system takes and nobody answers.
func withListener(_ body: (_ port: UInt16, _ listener: Int32) throws -> Void) throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    defer { close(listener) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
            bind(listener, address, length) == 0 && listen(listener, 8) == 0
                && getsockname(listener, address, &length) == 0
        }
    }
    try #require(isListening)
    try body(UInt16(bigEndian: address.sin_port), listener)
}
