public import JSON
public import MQTTModel

/// Where the fields of a message's reports come from.
///
/// It is found by experiment: one part of the message after the other is changed, a copy of the decoder reads each, and what
/// becomes different was taken from there. So a format says nothing about itself, what is told is what the decoder does, and
/// a message that nobody wants explained costs nothing more.
public struct Provenance: Sendable {
    /// A part of the message that was taken.
    public struct Origin: Sendable {
        public enum Place: Sendable, Hashable {
            /// A JSON Pointer into the payload; empty for the whole. Of lines with commas: the line and the field in it.
            case payload(pointer: String)
            /// A level of the topic, counted from 1, and its name in the filter.
            case topic(level: Int, name: String?)
        }

        public var place: Place
        /// What stands there; `nil` for a branch, of which only its being there or its size counts.
        public var value: JSONValue?
        /// What became of it.
        public var uses: [Use]
    }

    public struct Use: Sendable, Hashable {
        /// Which of the message's reports, counted from 0.
        public var report: Int
        /// As in ``Report/fields(time:)``, a property as `properties.name`; also `positionTime` and `seq`.
        public var field: String
        /// `null`: unknown.
        public var value: JSONValue
        /// The unit, zero and direction that the number was converted from; `nil`: taken as it is.
        public var conversion: String?
    }

    /// In the order of the message, topic first.
    public internal(set) var origins: [Origin] = []
    /// What decides what the message is, and is no field's value.
    public internal(set) var deciding: [Origin] = []
    /// Fields that are known from earlier messages, as a report of several messages' parts has.
    public internal(set) var remembered: [Use] = []
    /// Fields of which nothing in the message tells: the source's settings, and what the format says of each message.
    public internal(set) var given: [Use] = []
    /// Pointers to what was not taken, whole branches by their root.
    public internal(set) var notTaken: [String] = []
    /// Whether the payload had to be unpacked.
    public internal(set) var isPacked = false
    /// The message has more parts than are tried.
    public internal(set) var isIncomplete = false

    /// - Parameters:
    ///   - filter: What matched the topic.
    ///   - decoder: As it was before the message. Copies of it read the variations, so it must be a value.
    ///   - fresh: One that has seen no message.
    public init(
        of message: IncomingMessage, filter: TopicTemplate?, decoder: any TelemetryFormat, fresh: any TelemetryFormat
    ) {
        var experiment = Experiment(message, filter: filter, decoder: decoder, fresh: fresh)
        self = experiment.run()
    }
}
