internal import Glibc

/// Why nobody can listen at an address; the text is for people.
public struct ListenError: Error, CustomStringConvertible {
    public var description: String
}

/// A socket that listens, made here rather than by the library, which would not say what is wrong.
struct ListeningSocket: ~Copyable {
    private static let backlog: Int32 = 128

    let descriptor: Int32
    let port: UInt16

    /// - Parameters:
    ///   - host: An IPv4 or IPv6 address.
    ///   - port: 0: any that is free.
    init(host: String, port: UInt16) throws(ListenError) {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, String(port), &hints, &found)
        guard code == 0, let address = found else {
            throw ListenError(description: "\(host): \(String(cString: gai_strerror(code)))")
        }
        defer { freeaddrinfo(found) }
        let descriptor = socket(
            address.pointee.ai_family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard descriptor >= 0 else { throw Self.failure("socket") }
        var on: Int32 = 1
        // So that a bridge that is started again at once gets its port back.
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        guard bind(descriptor, address.pointee.ai_addr, address.pointee.ai_addrlen) == 0,
            listen(descriptor, Self.backlog) == 0
        else {
            let error = Self.failure("listen")
            close(descriptor)
            throw error
        }
        self.descriptor = descriptor
        self.port = Self.port(of: descriptor)
    }

    private static func failure(_ what: String) -> ListenError {
        ListenError(description: "\(what): \(String(cString: strerror(errno)))")
    }

    private static func port(of descriptor: Int32) -> UInt16 {
        var address = sockaddr_in6()
        var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
        let code = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        // The port stands in the same place for both families.
        return code == 0 ? UInt16(bigEndian: address.sin6_port) : 0
    }
}
