internal import CZlib

/// Packs bytes as a zlib stream (RFC 1950).
public enum Deflate {
    /// - Returns: `nil` where zlib has no memory.
    public static func zlib(_ bytes: [UInt8]) -> [UInt8]? {
        var size = compressBound(uLong(bytes.count))
        var packed = [UInt8](repeating: 0, count: Int(size))
        guard compress(&packed, &size, bytes, uLong(bytes.count)) == Z_OK else { return nil }
        return Array(packed.prefix(Int(size)))
    }
}
