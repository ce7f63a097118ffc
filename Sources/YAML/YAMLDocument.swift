/// A file's one document.
public struct YAMLDocument: Sendable {
    /// `nil` for an empty file, and where the file cannot be read at all.
    public var root: YAMLNode?
    /// In the order of the file. What can be read is read in spite of them.
    public var errors: [YAMLError]

    /// So that reading takes bounded time and memory, whatever somebody hands in.
    public struct Limits: Sendable {
        public var bytes = 16 << 20
        /// Collections inside each other.
        public var depth = 64
        /// Nodes with those that aliases repeat.
        public var nodes = 1_000_000

        public init() {}
    }

    /// Reads YAML in UTF-8; a byte order mark is dropped.
    public init(_ bytes: [UInt8], limits: Limits = Limits()) {
        errors = []
        guard bytes.count <= limits.bytes else {
            errors.append(YAMLError(YAMLPlace(line: 1, column: 1), "the file has more than \(limits.bytes) bytes"))
            return
        }
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
        if let offset = Self.firstIllFormed(text) {
            errors.append(YAMLError(YAMLPlace(of: offset, in: text), "not UTF-8; save the file in UTF-8"))
            return
        }
        var composer = Composer(EventReader(text), limits: limits)
        do throws(YAMLError) {
            root = try composer.document()
        } catch {
            composer.errors.append(error)
        }
        errors = composer.errors.sorted { $0.place < $1.place }
    }

    public init(_ text: String, limits: Limits = Limits()) {
        self.init(Array(text.utf8), limits: limits)
    }

    private static func firstIllFormed(_ text: ArraySlice<UInt8>) -> Int? {
        text.withUnsafeBufferPointer { buffer in
            do throws(Unicode.UTF8.ValidationError) {
                _ = try UTF8Span(validating: buffer.span)
                return nil
            } catch {
                return error.byteOffsets.lowerBound
            }
        }
    }
}
