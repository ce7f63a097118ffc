/// What no log, dump or error message shows.
public struct Secret: Sendable, Equatable {
    /// The secret itself, byte for byte: MQTT gives a password no encoding.
    public let revealed: [UInt8]

    public init(_ bytes: [UInt8]) { revealed = bytes }
    public init(_ text: String) { revealed = Array(text.utf8) }

    /// Takes a file's content byte for byte, without one line break at its end, LF or CRLF, as editors leave it.
    ///
    /// `nil` where that is no password: nothing, more than 65 535 bytes, a NUL, which libmosquitto would take for its
    /// end, or a further line break, with which it is more likely another file.
    public init?(passwordFile bytes: [UInt8]) {
        var bytes = bytes[...]
        if bytes.last == UInt8(ascii: "\n") {
            bytes = bytes.dropLast()
            if bytes.last == UInt8(ascii: "\r") { bytes = bytes.dropLast() }
        }
        guard (1...65_535).contains(bytes.count), !bytes.contains(0), !bytes.contains(UInt8(ascii: "\n")) else {
            return nil
        }
        revealed = Array(bytes)
    }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "***" }
    public var debugDescription: String { "***" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
