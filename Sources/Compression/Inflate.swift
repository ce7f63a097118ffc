internal import CZlib

/// Unpacks what zlib packed.
public enum Inflate {
    /// RFC 1950 and RFC 1952, as zlib numbers them.
    public enum Wrapping: Int32, Sendable { case zlib = 15, gzip = 31 }

    public enum Failure: Error, Equatable {
        /// Not a complete stream, or a garbled one.
        case broken
        case tooLarge
    }

    private static let chunk = 64 * 1024

    /// - Parameter limit: Bytes of output at most; more are never produced, so a small bomb stays small.
    public static func bytes(_ packed: ArraySlice<UInt8>, _ wrapping: Wrapping, limit: Int) throws(Failure) -> [UInt8] {
        var stream = z_stream()
        let size = Int32(MemoryLayout<z_stream>.size)
        guard packed.count <= UInt32.max, inflateInit2_(&stream, wrapping.rawValue, ZLIB_VERSION, size) == Z_OK else {
            throw .broken
        }
        defer { inflateEnd(&stream) }
        // zlib takes its input as mutable and does not touch it.
        var input = Array(packed)
        let result = input.withUnsafeMutableBufferPointer { buffer in
            stream.next_in = buffer.baseAddress
            stream.avail_in = UInt32(buffer.count)
            return Result { () throws(Failure) in try run(&stream, limit: limit) }
        }
        return try result.get()
    }

    private static func run(_ stream: inout z_stream, limit: Int) throws(Failure) -> [UInt8] {
        var output: [UInt8] = []
        while true {
            var status = Z_OK
            let space = min(chunk, limit - output.count + 1)  // one more tells "full" from "too large"
            let part = [UInt8](unsafeUninitializedCapacity: space) { buffer, count in
                stream.next_out = buffer.baseAddress
                stream.avail_out = UInt32(space)
                status = inflate(&stream, Z_NO_FLUSH)
                count = space - Int(stream.avail_out)
            }
            output += part
            guard output.count <= limit else { throw .tooLarge }
            switch status {
            case Z_STREAM_END: return output
            case Z_OK where !part.isEmpty || stream.avail_in > 0: continue
            default: throw .broken
            }
        }
    }
}
