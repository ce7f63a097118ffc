internal import JSON
internal import Locations

/// Several objects in one message, each decoded by itself: the fault of one rejects that one only. The message counts as what
/// it holds of value.
struct Batch {
    private var reports: [Result<Report, Rejection>] = []
    private var other: Decoded?

    mutating func add(_ decoded: Decoded) {
        switch decoded {
        case .report(let report): reports.append(.success(report))
        case .reports(let found): reports += found
        default: other = other ?? decoded
        }
    }

    mutating func add(_ rejection: Rejection) { reports.append(.failure(rejection)) }

    var decoded: Decoded { reports.isEmpty ? other ?? .ignored(reason: "empty", id: nil) : .reports(reports) }

    /// Decodes a list of messages.
    static func messages(
        _ elements: [JSONValue], _ decode: (JSONObject) throws(Rejection) -> Decoded
    ) throws(Rejection) -> Decoded {
        var batch = Batch()
        for (index, object) in try objects(elements).enumerated() {
            do throws(Rejection) {
                batch.add(try decode(object))
            } catch {
                batch.add(error.inside("\(index)"))
            }
        }
        return batch.decoded
    }

    /// The elements as objects.
    ///
    /// - Throws: An empty array says nothing, and an element that is no object makes the whole message doubtful.
    static func objects(
        _ elements: [JSONValue], key: (Int) -> String = { "\($0)" }
    ) throws(Rejection) -> [JSONObject] {
        guard !elements.isEmpty else { throw Rejection(.emptyBatch, "an empty array") }
        var objects: [JSONObject] = []
        objects.reserveCapacity(elements.count)
        for (index, element) in elements.enumerated() {
            guard let object = element.object else {
                throw Rejection(.notAnObject, at: "/\(key(index))", "an element that is no object")
            }
            objects.append(object)
        }
        return objects
    }
}

extension Rejection {
    /// The same rejection seen from one level further out.
    func inside(_ token: String) -> Rejection { below("/\(token)") }

    /// The same rejection seen from a place further out.
    func below(_ place: String) -> Rejection {
        var rejection = self
        rejection.pointer = place + pointer
        return rejection
    }
}
