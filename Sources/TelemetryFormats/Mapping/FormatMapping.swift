public import JSON
public import Locations
public import MQTTModel

/// Describes a JSON format: which messages there are, and where each says what.
///
/// `format: mapping` reads one from the configuration; the formats that ship as data are made of the same.
public struct FormatMapping: Sendable, Equatable {
    /// Each message is read by the first one that it fits.
    public private(set) var messages: [MessageMapping]
    /// The messages whose topic withdraws its device with zero length: those that say where it is, else the first that are
    /// not ignored.
    let withdrawing: Int?
    /// Whether its directions are those of a plan.
    let isOnPlan: Bool

    /// - Parameter common: What each of the messages says unless it says it otherwise.
    public init(_ messages: [MessageMapping], common: MessageMapping = MessageMapping()) {
        var messages = messages.map { $0.completed(by: common) }
        for index in messages.indices {
            // What comes on the same topics is one stream.
            messages[index].stream = messages.firstIndex { $0.topics == messages[index].topics } ?? index
        }
        self.messages = messages
        isOnPlan = messages.contains { if case .plan? = $0.position?.place { true } else { false } }
        withdrawing =
            messages.firstIndex { $0.ignore == nil && $0.position != nil } ?? messages.firstIndex { $0.ignore == nil }
    }
}

/// One kind of message of a format.
public struct MessageMapping: Sendable, Equatable {
    // MARK: Which messages

    /// The ends of the topics that carry it, whatever stands before; empty: any topic.
    public var topics: [TopicTemplate] = []
    /// What must be there, and not `null`.
    public var has: [JSONPointer] = []
    /// What must be as it says.
    public var when: [Condition] = []
    /// `nil`: JSON.
    public var payload: Payload?

    // MARK: Messages for nobody

    /// Why the message says nothing for us, as a slug.
    public var ignore: String?
    /// Whether such a message is a sign of the device's life.
    public var isAlive = true

    // MARK: Where to read

    /// The object to read, or the array of objects; the first that is there. Empty: the whole message.
    public var elements: [Elements] = []
    /// What tells whether the device has a fix: without one its position is lost, and what belongs to the fix unknown.
    public var validity: [Validity] = []

    // MARK: What it says; of several ways to a value the first that says something

    /// Empty: the topic's `{device}`, else the source's `device` setting, else the source's id.
    public var id: [MappedValue] = []
    public var time: [MappedTime] = []
    public var sequence: [MappedValue] = []
    public var position: MappedPosition?
    public var floor: [MappedValue] = []
    public var heading: [MappedHeading] = []
    public var speed: [MappedNumber<SpeedUnit>] = []
    public var accuracy: [MappedNumber<LengthUnit>] = []
    public var altitude: [MappedNumber<LengthUnit>] = []
    public var charge: [MappedNumber<ChargeUnit>] = []
    public var charging: [MappedValue] = []
    public var name: [MappedValue] = []
    public var type: [MappedValue] = []
    public var building: [MappedValue] = []
    public var state: [MappedValue] = []
    /// `online` or `offline`, in any case.
    public var connection: [MappedValue] = []
    public var properties: [Property] = []
    public var nearest: Nearest?

    /// Which of the format's streams it belongs to.
    var stream = 0

    public init() {}
}

extension MessageMapping {
    public enum Payload: String, Sendable, CaseIterable {
        case json
        /// The whole payload is one value: `""` points to it.
        case text
    }

    public struct Condition: Sendable, Equatable {
        public var pointer: JSONPointer
        public var values: [JSONValue]

        public init(_ pointer: JSONPointer, _ values: [JSONValue]) {
            self.pointer = pointer
            self.values = values
        }
    }

    /// `/location`, or with `/*` at the end every member of it.
    public struct Elements: Sendable, Equatable {
        public var pointer: JSONPointer
        public var isEach: Bool

        public init(_ pointer: JSONPointer, isEach: Bool = false) {
            self.pointer = pointer
            self.isEach = isEach
        }
    }

    public struct Property: Sendable, Equatable {
        public var name: String
        public var value: [MappedValue]

        public init(_ name: String, _ value: [MappedValue]) {
            self.name = name
            self.value = value
        }
    }

    /// Several senders, each with a topic of its own, speak of one device: these properties are those of the nearest one.
    public struct Nearest: Sendable, Equatable {
        /// The distance; the smallest wins.
        public var distance: MappedNumber<LengthUnit>
        /// How long what a sender said counts.
        public var within: Duration
        public var properties: [Property]

        public init(_ distance: MappedNumber<LengthUnit>, within: Duration, properties: [Property]) {
            self.distance = distance
            self.within = within
            self.properties = properties
        }
    }

    /// Whether its topic alone decides that a message is of this kind.
    public var isDecidedByTopic: Bool { has.isEmpty && when.isEmpty }

    /// Where in an element it looks for values.
    public var pointers: [JSONPointer] {
        var values = [id, sequence, floor, charging, name, type, building, state, connection].flatMap { $0 }
        values += time.map(\.value) + heading.map(\.number.value) + speed.map(\.value) + charge.map(\.value)
        values += (accuracy + altitude).map(\.value) + (properties + (nearest?.properties ?? [])).flatMap(\.value)
        if let nearest { values.append(nearest.distance.value) }
        switch position?.place {
        case .geographic(let latitude, let longitude)?: values += (latitude + longitude).map(\.value)
        case .plan(let x, let y, let map)?: values += (x + y).map(\.value) + map
        case .unknown?, nil: break
        }
        return values.flatMap(\.sources).compactMap { if case .pointer(let pointer) = $0 { pointer } else { nil } }
    }

    fileprivate func completed(by common: MessageMapping) -> MessageMapping {
        var message = self
        func complete<Value: Collection>(_ path: WritableKeyPath<MessageMapping, Value>) {
            if message[keyPath: path].isEmpty { message[keyPath: path] = common[keyPath: path] }
        }
        message.payload = payload ?? common.payload
        complete(\.elements)
        complete(\.validity)
        complete(\.id)
        complete(\.time)
        complete(\.sequence)
        message.position = position ?? common.position
        complete(\.floor)
        complete(\.heading)
        complete(\.speed)
        complete(\.accuracy)
        complete(\.altitude)
        complete(\.charge)
        complete(\.charging)
        complete(\.name)
        complete(\.type)
        complete(\.building)
        complete(\.state)
        complete(\.connection)
        message.properties += common.properties.filter { property in
            !properties.contains { $0.name.hasSameBytes(as: property.name) }
        }
        message.nearest = nearest ?? common.nearest
        return message
    }
}

// MARK: Literals

extension MessageMapping {
    /// For the mappings that ship with the bridge.
    init(_ topics: [String] = [], _ change: (inout MessageMapping) -> Void) {
        self.topics = topics.map { text in
            do throws(TopicTemplate.SyntaxError) {
                return try TopicTemplate(text)
            } catch {
                preconditionFailure("\(text): \(error.message)")
            }
        }
        change(&self)
    }

    static func ignored(_ topics: [String], _ reason: String, isAlive: Bool = true) -> MessageMapping {
        MessageMapping(topics) {
            $0.ignore = reason
            $0.isAlive = isAlive
        }
    }
}
