/// Why a file is refused, or where the reading of it ended.
public struct GPXError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Reason: Hashable, Sendable {
        case unreadable
        case empty
        /// Another root element, or none of GPX 1.0's or 1.1's namespace.
        case notGPX
        /// A document type is declared: entity bombs begin with one.
        case documentType
        /// No XML from this place on; also where the file ends before the document does.
        case malformed
        /// More is out of its order in time than the index holds.
        case disorder
        /// More points than are to be held in memory.
        case tooManyPoints
        /// No track point can be replayed.
        case nothingToReplay
    }

    public var reason: Reason
    public var file: String
    /// `nil` where it is about the file as a whole.
    public var place: TextPlace?
    /// For people; one sentence without a full stop.
    public var detail: String

    public init(_ reason: Reason, file: String, place: TextPlace? = nil, detail: String) {
        self.reason = reason
        self.file = file
        self.place = place
        self.detail = detail
    }

    /// `file:line:column: what`.
    public var description: String { "\(file)\(place.map { ":\($0)" } ?? ""): \(detail)" }
}
