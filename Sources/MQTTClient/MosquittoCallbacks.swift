import CMosquitto
import Glibc
import MQTTModel

// Functions, since a closure takes the isolation of where it stands and can trap. They copy and return: no call that
// acts on the connection from inside a callback.

private func inbox(_ context: UnsafeMutableRawPointer?) -> MosquittoInbox? {
    context.map { Unmanaged<MosquittoInbox>.fromOpaque($0).takeUnretainedValue() }
}

func onConnect(
    _: OpaquePointer?, context: UnsafeMutableRawPointer?, code: Int32, flags: Int32, properties: OpaquePointer?
) {
    guard let inbox = inbox(context) else { return }
    let number = UInt8(truncatingIfNeeded: code)
    // The library itself finds out that a broker answered MQTT 5 in an older version, and then tells the newer code.
    let reasonCode =
        inbox.version == .mqtt5 ? ReasonCode(rawValue: number) : ReasonCode(connectReturnCode: number)
    guard reasonCode == .success else {
        inbox.append(.refused(reasonCode, reasonString: string(MQTT_PROP_REASON_STRING, of: properties)))
        return
    }
    let capabilities = inbox.version == .mqtt5 ? ServerCapabilities(copying: properties) : .mqtt311
    inbox.append(.connected(sessionPresent: flags & 1 == 1, capabilities))
}

/// Called only where TLS is on: `OpenSSL Error[0]: error:0A00010B:SSL routines::wrong version number`.
func onLog(
    _: OpaquePointer?, context: UnsafeMutableRawPointer?, level: Int32, text: UnsafePointer<CChar>?
) {
    guard level == MOSQ_LOG_ERR, let text = text.map({ String(cString: $0) }), text.hasPrefix("OpenSSL") else { return }
    inbox(context)?.libraryError = text.split(separator: ":").last.map(String.init)
}

func onDisconnect(
    _: OpaquePointer?, context: UnsafeMutableRawPointer?, code: Int32, properties _: OpaquePointer?
) {
    let systemError = errno
    inbox(context)?.ended(MosquittoInbox.End(code: code, systemError: systemError))
}

func onMessage(
    _: OpaquePointer?, context: UnsafeMutableRawPointer?, message: UnsafePointer<mosquitto_message>?,
    properties: OpaquePointer?
) {
    guard let message, let copy = Message(copying: message.pointee, properties) else { return }
    inbox(context)?.append(copy)
}

func onPublish(
    _: OpaquePointer?, context: UnsafeMutableRawPointer?, mid: Int32, code: Int32, properties _: OpaquePointer?
) {
    inbox(context)?.acknowledged(
        PacketIdentifier(rawValue: UInt16(truncatingIfNeeded: mid)),
        ReasonCode(rawValue: UInt8(truncatingIfNeeded: code)))
}

func onSubscribe(
    _: OpaquePointer?, context: UnsafeMutableRawPointer?, mid: Int32, count: Int32, granted: UnsafePointer<Int32>?,
    properties _: OpaquePointer?
) {
    // One filter a packet is sent, so there is one code. A broker that sends none has not granted.
    let code = granted.flatMap { count > 0 ? UInt8(truncatingIfNeeded: $0[0]) : nil } ?? 0x80
    inbox(context)?.append(
        .subscribed(PacketIdentifier(rawValue: UInt16(truncatingIfNeeded: mid)), ReasonCode(rawValue: code)))
}

func onUnsubscribe(
    _: OpaquePointer?, context: UnsafeMutableRawPointer?, mid: Int32, properties _: OpaquePointer?
) {
    inbox(context)?.append(.unsubscribed(PacketIdentifier(rawValue: UInt16(truncatingIfNeeded: mid))))
}
