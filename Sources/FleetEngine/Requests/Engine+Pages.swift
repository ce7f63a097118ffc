internal import JSON
internal import Locations

/// Answers that may be too long for one message: what does not fit, or is more than was wanted, comes with the next page.
extension Engine {
    private static let pages = 1...1_000
    private static let defaultPage = 100
    /// What stands in a page beside its elements, without the ids in `next`.
    private static let pageFrame = 64

    /// The states as they are published, by source and id.
    func locations(_ content: JSONObject, room: Int) throws(RequestError) -> [UInt8] {
        let filter = try LocationFilter(content)
        let after = try LocationReference(after: content)
        let limit = try content.integer("limit", in: Self.pages) ?? Self.defaultPage
        var page = Page(key: "locations", limit: limit, room: room - Self.pageFrame)
        for source in sorted(from: after?.source) where filter.takes(source.id) {
            let start = after.flatMap { $0.source == source.id ? $0.id : nil }
            let ids = source.locations.lazy.filter { filter.takes($0) }.map(\.id).filter { id in
                start.map { $0 < id } ?? true
            }
            for id in ids.smallest(limit - page.count + 1) {
                let reference = LocationReference(source: source.id, id: id).json
                let limit = page.roomForOne - reference.text.utf8.count
                guard let state = output.state(of: id, source: source.id, atMost: limit) else { continue }
                guard page.add(state, reference) else {
                    return try page.finish()
                }
            }
        }
        return try page.finish()
    }

    func listSources(_ content: JSONObject, room: Int) throws(RequestError) -> [UInt8] {
        let after = try content.optionalText("after").map { Identifier($0) }
        let limit = try content.integer("limit", in: Self.pages) ?? Self.defaultPage
        var page = Page(key: "sources", limit: limit, room: room - Self.pageFrame)
        for source in sorted(from: after) where after.map({ $0 < source.id }) ?? true {
            guard page.add(describe(source), .string(source.id.text)) else { break }
        }
        return try page.finish()
    }

    /// A source as it is listed.
    func describe(_ source: any LocationSource) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("source")
        writer.string(source.id.text)
        if let managed = sources[source.id] {
            if managed.entry != source.id {
                writer.key("template")
                writer.string(managed.entry.text)
            }
            writer.key("format")
            writer.string(managed.configuration.format.name)
            writer.key("topics")
            writer.texts(managed.topics.map(\.description))
        }
        if let derived = registered[source.id]?.configuration {
            writer.key("kind")
            writer.string(derived.kindName)
            writer.key("observes")
            writer.texts(derived.observes.sorted().map(\.text))
        }
        writer.key("status")
        _ = SourceStatusDocument.write(source, to: &writer)
        writer.endObject()
        return writer.bytes
    }

    private func sorted(from first: Identifier?) -> [any LocationSource] {
        let sorted = everySource
        guard let first else { return sorted }
        return Array(sorted.drop { $0.id < first })
    }
}

/// A list that is written until it is full.
private struct Page: ~Copyable {
    let limit: Int
    let room: Int
    /// Bytes of an empty page.
    private let frame: Int
    private(set) var count = 0
    private var last: JSONValue?
    private var isCut = false
    private var writer = JSONWriter()
    /// An element that is too large for any page.
    private var oversized: Int?

    init(key: String, limit: Int, room: Int) {
        (self.limit, self.room) = (limit, room)
        frame = key.utf8.count + 8
        writer.beginObject()
        writer.key(key)
        writer.beginArray()
    }

    /// Bytes of an element that stands alone, together with its reference.
    var roomForOne: Int { room - frame }

    /// - Parameter reference: What `after` takes to go on behind this element.
    /// - Returns: `false` where it does not belong to this page any more.
    mutating func add(_ element: [UInt8], _ reference: JSONValue) -> Bool {
        guard count < limit, writer.count + element.count + reference.text.utf8.count <= room else {
            isCut = true
            if count == 0 { oversized = element.count }
            return false
        }
        writer.raw(element)
        (count, last) = (count + 1, reference)
        return true
    }

    consuming func finish() throws(RequestError) -> [UInt8] {
        if let oversized {
            throw RequestError(
                .responseTooLarge, "one element alone has \(oversized) bytes, more than there is room for")
        }
        writer.endArray()
        if isCut, let last {
            writer.key("next")
            writer.value(last)
        }
        writer.endObject()
        return writer.bytes
    }
}

extension LocationReference {
    /// The `next` of the page before.
    fileprivate init?(after content: JSONObject) throws(RequestError) {
        guard let value = content["after"], !value.isNull else { return nil }
        guard let object = value.object else {
            throw RequestError(.invalidRequest, "\"after\" is no object with \"source\" and \"id\"")
        }
        try object.check(members: ["source", "id"], of: "\"after\"")
        self.init(source: Identifier(try object.text("source")), id: Identifier(try object.text("id")))
    }

    fileprivate var json: JSONValue { ["source": .string(source.text), "id": .string(id.text)] }
}

/// Which locations are wanted: what is not mentioned is open.
private struct LocationFilter {
    private let sources, ids, types, buildings, statuses: Set<Identifier>?
    private let floor: Int?

    init(_ content: JSONObject) throws(RequestError) {
        sources = try content.texts("source")
        ids = try content.texts("id")
        types = try content.texts("type")
        buildings = try content.texts("building")
        statuses = try content.texts("status")
        floor = try content.integer("floor", in: -1_000_000...1_000_000)
        if let unknown = statuses?.first(where: { LocationStatus(rawValue: $0.text) == nil }) {
            throw RequestError(.invalidRequest, "\"\(unknown)\" is no status")
        }
    }

    func takes(_ source: Identifier) -> Bool { sources?.contains(source) ?? true }

    func takes(_ location: Location) -> Bool {
        (ids?.contains(location.id) ?? true) && Self.takes(types, location.type)
            && Self.takes(buildings, location.building) && (floor == nil || floor == location.floor)
            && Self.takes(statuses, location.status.rawValue)
    }

    private static func takes(_ wanted: Set<Identifier>?, _ text: String?) -> Bool {
        guard let wanted else { return true }
        return text.map { wanted.contains(Identifier($0)) } ?? false
    }
}

extension Sequence where Element: Comparable {
    /// The least elements in order, without sorting all of them.
    func smallest(_ count: Int) -> [Element] {
        var kept: [Element] = []
        for element in self where kept.count < count || kept.last.map({ element < $0 }) ?? false {
            var low = 0
            var high = kept.count
            while low < high {
                let middle = (low + high) / 2
                if element < kept[middle] { high = middle } else { low = middle + 1 }
            }
            kept.insert(element, at: low)
            if kept.count > count { kept.removeLast() }
        }
        return kept
    }
}

extension JSONWriter {
    mutating func reference(source: Identifier, id: Identifier) {
        beginObject()
        key("source")
        string(source.text)
        key("id")
        string(id.text)
        endObject()
    }
}
