/// How far a location can be believed. Later cases win over earlier ones.
public enum LocationStatus: String, Sendable, CaseIterable {
    case live
    /// Nothing heard for the source's `staleAfter`.
    case stale
    /// The device has no fix, or its last position is too old.
    case lost
    /// Its will, its connection message or its source's status says so.
    case offline
}
