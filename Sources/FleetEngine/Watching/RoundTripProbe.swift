/// Tells whether a message comes from the bridge through the broker back to it, again and again while it is connected.
struct RoundTripProbe {
    private let interval: Duration
    /// When the next one is to be sent.
    private(set) var due: Duration?
    /// When the last one came back, and how long it was away.
    private(set) var last: (at: Duration, took: Duration)?
    private var underway: (token: RequestToken, since: Duration)?

    init(every interval: Duration) { self.interval = interval }

    mutating func opened(at now: Duration) { due = now }

    /// What came round on another connection says nothing of the next one.
    mutating func closed() { (due, last, underway) = (nil, nil, nil) }

    mutating func sent(_ token: RequestToken, at now: Duration) -> [UInt8] {
        (due, underway) = (now + interval, (token, now))
        return Self.payload(token)
    }

    /// - Returns: Whether it is the one that is underway.
    mutating func returned(_ payload: [UInt8], at now: Duration) -> Bool {
        guard let sent = underway, payload == Self.payload(sent.token) else { return false }
        (last, underway) = ((now, now - sent.since), nil)
        return true
    }

    private static func payload(_ token: RequestToken) -> [UInt8] { Array("round-trip \(token.rawValue)".utf8) }
}
