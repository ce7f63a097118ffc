/// How many locations have each status.
public struct StatusCounts: Sendable, Equatable {
    private var counts = [Int](repeating: 0, count: LocationStatus.allCases.count)

    public init() {}

    public subscript(status: LocationStatus) -> Int {
        get { counts[Self.index(of: status)] }
        set { counts[Self.index(of: status)] = newValue }
    }

    public var total: Int { counts.reduce(0, +) }

    private static func index(of status: LocationStatus) -> Int {
        switch status {
        case .live: 0
        case .stale: 1
        case .lost: 2
        case .offline: 3
        }
    }
}
