internal import Glibc

/// A file's items, read piece by piece: the memory that it takes does not depend on the file's size.
final class GPXItemStream {
    /// How the file ended.
    enum End: Hashable {
        case complete
        /// What comes after this place cannot be read. What came before counts.
        case cut(TextPlace, String)
    }

    let path: String
    let elements = GPXElementReader()
    private let xml: XMLPushParser
    private let descriptor: Int32
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1_024, alignment: 16)
    /// The last of what was read, for a look at the tag that a file ends in.
    private var tail: [UInt8] = []
    private var items: [GPXItem] = []
    private var next = 0
    private var hasRead = false
    private(set) var end: End?

    init(path: String) throws(GPXError) {
        self.path = path
        do {
            xml = try XMLPushParser(elements)
        } catch {
            buffer.deallocate()
            throw GPXError(.unreadable, file: path, detail: "out of memory")
        }
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        // The deinitializer runs from here on, and finds -1.
        if descriptor < 0 { throw GPXError(.unreadable, file: path, detail: String(cString: strerror(errno))) }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
        buffer.deallocate()
    }

    /// - Returns: `nil` at the end of the file, and where it cannot be read on; ``end`` tells which.
    func nextItem() throws(GPXError) -> GPXItem? {
        while next == items.count {
            if end != nil { return nil }
            try readOn()
            items = elements.takeItems()
            next = 0
        }
        defer { next += 1 }
        return items[next]
    }

    private func readOn() throws(GPXError) {
        let count = try fill()
        do {
            if count > 0 {
                hasRead = true
                let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
                tail = Array(bytes.suffix(256))
                try xml.feed(bytes)
            } else {
                guard hasRead else { throw GPXError(.empty, file: path, detail: "the file is empty") }
                try xml.finish()
                end = .complete
            }
        } catch let fault as XMLFault {
            end = try self.end(fault)
        } catch let error as GPXError {
            throw error
        } catch {}
        if let root = elements.foreignRoot { throw notGPX(root.name, root.namespace, root.place) }
    }

    private func fill() throws(GPXError) -> Int {
        while true {
            let count = read(descriptor, buffer.baseAddress, buffer.count)
            if count >= 0 { return count }
            if errno != EINTR { throw GPXError(.unreadable, file: path, detail: String(cString: strerror(errno))) }
        }
    }

    private func end(_ fault: XMLFault) throws(GPXError) -> End {
        switch fault {
        case .outOfMemory: throw GPXError(.unreadable, file: path, detail: "out of memory")
        case .documentType(let place):
            throw GPXError(
                .documentType, file: path, place: place,
                detail: "a document type is declared, which could bring entities without end; GPX needs none")
        case .malformed(let place, let message): return .cut(place, message)
        }
    }

    private func notGPX(_ name: String, _ namespace: String?, _ place: TextPlace) -> GPXError {
        let found = namespace.map { "in the namespace \($0.prefix(100))" } ?? "without a namespace"
        return GPXError(
            .notGPX, file: path, place: place,
            detail:
                "the root element is '\(name.prefix(40))' \(found); expected gpx in http://www.topografix.com/GPX/1/1 or …/1/0"
        )
    }

    /// Where the file ends in the middle of a track point, or of the tag that begins one.
    var incompletePoint: TextPlace? {
        guard case .cut(let place, _) = end else { return nil }
        if let open = elements.openTrackPoint { return open }
        guard elements.isInSegment, let start = tail.lastIndex(of: UInt8(ascii: "<")) else { return nil }
        let tag = tail[(start + 1)...]
        guard !tag.contains(UInt8(ascii: ">")) else { return nil }
        let name = tag.prefix { $0 > 0x20 }.split(separator: UInt8(ascii: ":")).last ?? []
        return Array(name) == Array("trkpt".utf8) ? place : nil
    }

    /// Track points whose start was seen.
    var trackPoints: Int {
        elements.trackPoints + (incompletePoint != nil && elements.openTrackPoint == nil ? 1 : 0)
    }
}
