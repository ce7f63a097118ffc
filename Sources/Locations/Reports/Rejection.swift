/// Why a message, or one object of a batch, was rejected. Nothing it said is applied.
public struct Rejection: Error, Hashable, Sendable {
    /// Stable slugs: they are published and counted by, so they never change.
    public struct Reason: RawRepresentable, Hashable, Sendable {
        public var rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        public static let invalidJSON = Reason(rawValue: "invalid-json")
        public static let invalidUTF8 = Reason(rawValue: "invalid-utf8")
        public static let payloadTooLarge = Reason(rawValue: "payload-too-large")
        public static let notAnObject = Reason(rawValue: "not-an-object")
        public static let emptyReport = Reason(rawValue: "empty-report")
        public static let emptyBatch = Reason(rawValue: "empty-batch")
        public static let missingPosition = Reason(rawValue: "missing-position")
        public static let positionNotANumber = Reason(rawValue: "position-not-a-number")
        public static let positionOutOfRange = Reason(rawValue: "position-out-of-range")
        public static let noFix = Reason(rawValue: "no-fix")
        public static let badDeviceID = Reason(rawValue: "bad-device-id")
        public static let badSourceID = Reason(rawValue: "bad-source-id")
        public static let badConnection = Reason(rawValue: "bad-connection")
        public static let locationLimit = Reason(rawValue: "location-limit")
        public static let sourceLimit = Reason(rawValue: "source-limit")
        public static let unknownMap = Reason(rawValue: "unknown-map")
        public static let unsupportedFormat = Reason(rawValue: "unsupported-format")
    }

    public var reason: Reason
    /// Where in the payload, as a JSON Pointer (RFC 6901). Empty for the whole.
    public var pointer: String
    /// What is wrong, for people; not escaped.
    public var detail: String

    public init(_ reason: Reason, at pointer: String = "", _ detail: String) {
        self.reason = reason
        self.pointer = pointer
        self.detail = detail
    }
}
