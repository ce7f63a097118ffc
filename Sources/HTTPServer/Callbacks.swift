internal import CMicroHTTPD
internal import Glibc

// Functions rather than closures: a closure takes the isolation of where it stands, and can trap on the library's threads.

/// - Parameter context: Outlives the daemon.
func startDaemon(_ socket: Int32, _ context: ServerContext, threads: Int) -> OpaquePointer? {
    let pointer = Unmanaged.passUnretained(context).toOpaque()
    let limits = context.limits
    func address<Function>(_ function: Function) -> Int { unsafeBitCast(function, to: Int.self) }
    let beganRequest: BeganCallback = onBegan
    let completed: MHD_RequestCompletedCallback = onCompleted
    let connection: MHD_NotifyConnectionCallback = onConnection
    var options = [
        MHD_OptionItem(option: .LISTEN_SOCKET, value: Int(socket), ptr_value: nil),
        MHD_OptionItem(option: .CONNECTION_LIMIT, value: limits.connections, ptr_value: nil),
        MHD_OptionItem(option: .CONNECTION_TIMEOUT, value: limits.silence, ptr_value: nil),
        MHD_OptionItem(option: .CONNECTION_MEMORY_LIMIT, value: limits.memory, ptr_value: nil),
        MHD_OptionItem(option: .THREAD_POOL_SIZE, value: threads, ptr_value: nil),
        MHD_OptionItem(option: .STRICT_FOR_CLIENT, value: 1, ptr_value: nil),
        MHD_OptionItem(option: .URI_LOG_CALLBACK, value: address(beganRequest), ptr_value: pointer),
        MHD_OptionItem(option: .NOTIFY_COMPLETED, value: address(completed), ptr_value: pointer),
        MHD_OptionItem(option: .NOTIFY_CONNECTION, value: address(connection), ptr_value: pointer),
        MHD_OptionItem(option: .END, value: 0, ptr_value: nil),
    ]
    let flags = MHD_USE_POLL_INTERNAL_THREAD.rawValue | MHD_ALLOW_SUSPEND_RESUME.rawValue
    return options.withUnsafeMutableBufferPointer { items in
        let arguments: [any CVarArg] = [
            Int32(MHD_OPTION.ARRAY.rawValue), items.baseAddress!, Int32(MHD_OPTION.END.rawValue),
        ]
        return withVaList(arguments) { MHD_start_daemon_va(flags, 0, nil, nil, onRequest, pointer, $0) }
    }
}

private typealias BeganCallback =
    @convention(c) (
        UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?
    ) -> UnsafeMutableRawPointer?

private func server(_ pointer: UnsafeMutableRawPointer?) -> ServerContext? {
    pointer.map { Unmanaged<ServerContext>.fromOpaque($0).takeUnretainedValue() }
}

private func request(_ pointer: UnsafeMutableRawPointer?) -> RequestState? {
    pointer.map { Unmanaged<RequestState>.fromOpaque($0).takeUnretainedValue() }
}

/// The request line has come; what is returned stays with the request.
private func onBegan(
    context: UnsafeMutableRawPointer?, target: UnsafePointer<CChar>?, connection: OpaquePointer?
) -> UnsafeMutableRawPointer? {
    if let connection { server(context)?.keeper.beganRequest(connection) }
    let bytes = target.map { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) } ?? []
    return Unmanaged.passRetained(RequestState(rawTarget: bytes)).toOpaque()
}

private func onCompleted(
    context: UnsafeMutableRawPointer?, connection: OpaquePointer?,
    state: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _: MHD_RequestTerminationCode
) {
    if let pointer = state?.pointee { Unmanaged<RequestState>.fromOpaque(pointer).release() }
    state?.pointee = nil
    if let connection { server(context)?.keeper.answered(connection) }
}

private func onConnection(
    context: UnsafeMutableRawPointer?, connection: OpaquePointer?, _: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
    code: MHD_ConnectionNotificationCode
) {
    guard let keeper = server(context)?.keeper, let connection else { return }
    switch code {
    case .CONNECTION_NOTIFY_STARTED: keeper.opened(connection, descriptor: microhttpd_connection_descriptor(connection))
    case .CONNECTION_NOTIFY_CLOSED: keeper.closed(connection)
    @unknown default: break
    }
}

/// Called once the headers are there, then for each part of a body, and once more at the end of it; and again when the
/// connection is resumed.
private func onRequest(
    context: UnsafeMutableRawPointer?, connection: OpaquePointer?, _: UnsafePointer<CChar>?,
    method: UnsafePointer<CChar>?, _: UnsafePointer<CChar>?, _: UnsafePointer<CChar>?,
    bodySize: UnsafeMutablePointer<Int>?, pointer: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
    guard let server = server(context), let connection, let state = request(pointer?.pointee), let bodySize else {
        return .NO
    }
    if !state.isKnown {
        state.isKnown = true
        guard isRead(method) else {
            let refusal = HTTPResponse.text(405, "only GET and HEAD")
            return send(refusal.adding("Allow", "GET, HEAD"), on: connection, server)
        }
        return .YES
    }
    if bodySize.pointee > 0 {
        state.bodySize += bodySize.pointee
        bodySize.pointee = 0
        return state.bodySize <= server.limits.body ? .YES : .NO
    }
    server.keeper.gotRequest(connection)
    if let response = state.pending?.response { return send(response, on: connection, server) }
    guard let target = HTTPTarget(state.rawTarget) else {
        return send(.text(400, "the path or query cannot be decoded"), on: connection, server)
    }
    switch server.handle(HTTPRequest(target, headers: headers(of: connection))) {
    case .now(let response): return send(response, on: connection, server)
    case .later(let pending):
        state.pending = pending
        if server.keeper.suspend(connection, for: pending) { return .YES }
        return pending.response.map { send($0, on: connection, server) } ?? .NO
    }
}

private func isRead(_ method: UnsafePointer<CChar>?) -> Bool {
    guard let method else { return false }
    return strcmp(method, "GET") == 0 || strcmp(method, "HEAD") == 0
}

private func headers(of connection: OpaquePointer) -> [HTTPRequest.Header] {
    var headers: [HTTPRequest.Header] = []
    withUnsafeMutablePointer(to: &headers) { pointer in
        _ = MHD_get_connection_values_n(connection, .HEADER_KIND, onHeader, pointer)
    }
    return headers
}

private func onHeader(
    context: UnsafeMutableRawPointer?, _: MHD_ValueKind, name: UnsafePointer<CChar>?, nameSize: Int,
    value: UnsafePointer<CChar>?, valueSize: Int
) -> MHD_Result {
    guard let context, let name else { return .YES }
    func bytes(_ pointer: UnsafePointer<CChar>?, _ count: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: pointer, count: pointer == nil ? 0 : count)
    }
    context.assumingMemoryBound(to: [HTTPRequest.Header].self).pointee.append(
        HTTPRequest.Header(String(decoding: bytes(name, nameSize), as: UTF8.self), Array(bytes(value, valueSize))))
    return .YES
}

/// Bytes that a body is asked for at once.
private let blockSize = 32 << 10

private func send(_ response: HTTPResponse, on connection: OpaquePointer, _ server: ServerContext) -> MHD_Result {
    let reader = BodyReader(response.body, connection, server.keeper)
    let made = MHD_create_response_from_callback(
        reader.size ?? .max, blockSize, onRead, Unmanaged.passRetained(reader).toOpaque(), onRelease)
    guard let made else {
        Unmanaged.passUnretained(reader).release()
        return .NO
    }
    defer { MHD_destroy_response(made) }
    for header in response.headers { _ = MHD_add_response_header(made, header.name, header.value) }
    return MHD_queue_response(connection, UInt32(response.status), made)
}

private func onRead(
    context: UnsafeMutableRawPointer?, position: UInt64, memory: UnsafeMutablePointer<CChar>?, size: Int
) -> Int {
    guard let context, let memory else { return 0 }
    let reader = Unmanaged<BodyReader>.fromOpaque(context).takeUnretainedValue()
    return memory.withMemoryRebound(to: UInt8.self, capacity: size) {
        reader.read(at: position, into: UnsafeMutableBufferPointer(start: $0, count: size))
    }
}

private func onRelease(context: UnsafeMutableRawPointer?) {
    if let context { Unmanaged<BodyReader>.fromOpaque(context).release() }
}
