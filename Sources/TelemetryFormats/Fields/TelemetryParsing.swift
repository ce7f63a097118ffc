internal import JSON
internal import Locations

extension JSONParser {
    /// Parses a payload; what is not strict JSON is a rejection with the same reason.
    func parseTelemetry(_ payload: [UInt8]) throws(Rejection) -> JSONValue {
        do {
            return try parse(payload)
        } catch {
            throw Rejection(Rejection.Reason(rawValue: error.reason.rawValue), at: error.pointer, error.detail)
        }
    }
}

/// Several objects in one message.
enum Batch {
    /// Decodes each object by itself: the fault of one rejects that one only.
    ///
    /// - Throws: An empty array says nothing, and an element that is no object makes the whole message doubtful.
    static func decode<Output>(
        _ elements: [JSONValue], _ decode: (JSONObject) throws(Rejection) -> Output
    ) throws(Rejection) -> [Result<Output, Rejection>] {
        guard !elements.isEmpty else { throw Rejection(.emptyBatch, "an empty array") }
        var objects: [JSONObject] = []
        objects.reserveCapacity(elements.count)
        for (index, element) in elements.enumerated() {
            guard let object = element.object else {
                throw Rejection(.notAnObject, at: "/\(index)", "an element that is no object")
            }
            objects.append(object)
        }
        return objects.enumerated().map { (index, object) in
            do throws(Rejection) {
                return .success(try decode(object))
            } catch {
                return .failure(error.inside("\(index)"))
            }
        }
    }

    /// Decodes a list of messages; it counts as what it holds of value.
    static func messages(
        _ elements: [JSONValue], _ decode: (JSONObject) throws(Rejection) -> Decoded
    ) throws(Rejection) -> Decoded {
        var reports: [Result<Report, Rejection>] = []
        var other: Decoded?
        for result in try self.decode(elements, decode) {
            switch result {
            case .success(.report(let report)): reports.append(.success(report))
            case .success(.reports(let found)): reports += found
            case .success(let found): other = other ?? found
            case .failure(let rejection): reports.append(.failure(rejection))
            }
        }
        return reports.isEmpty ? other ?? .ignored(reason: "empty", id: nil) : .reports(reports)
    }
}

extension Rejection {
    /// The same rejection seen from one level further out.
    func inside(_ token: String) -> Rejection {
        var rejection = self
        rejection.pointer = "/\(token)\(pointer)"
        return rejection
    }
}
