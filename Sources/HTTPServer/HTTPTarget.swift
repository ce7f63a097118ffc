/// What a request asks for: the path, level by level, and the query, all decoded.
public struct HTTPTarget: Sendable, Equatable {
    /// Between the path's slashes, each decoded by itself: `/a%2Fb/c` is `["a/b", "c"]`, and `/` is `[""]`.
    public var segments: [String]
    /// In the order of the request; a name may stand there several times.
    public var query: [Parameter]

    public struct Parameter: Sendable, Equatable {
        public var name: String
        public var value: String

        public init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
    }

    /// - Parameter raw: As it stands in the request line, such as `/map?floor=1`. `nil` where it is no path, or a part of
    ///   it cannot be decoded.
    public init?(_ raw: some Sequence<UInt8>) {
        let parts = Array(raw).split(
            separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
        guard let path = parts.first, path.first == UInt8(ascii: "/") else { return nil }
        segments = []
        for segment in path.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            guard let text = PercentCoding.decode(segment) else { return nil }
            segments.append(text)
        }
        query = []
        guard parts.count == 2 else { return }
        for pair in parts[1].split(separator: UInt8(ascii: "&")) {
            // In a query, browsers write a space as a plus sign.
            let sides = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false).map {
                $0.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
            }
            guard let name = PercentCoding.decode(sides[0]),
                let value = PercentCoding.decode(sides.count == 2 ? sides[1] : [])
            else { return nil }
            query.append(Parameter(name, value))
        }
    }

    /// The first value of a name.
    public func value(_ name: String) -> String? { query.first { $0.name.utf8.elementsEqual(name.utf8) }?.value }
}
