internal import JSON
internal import MQTTModel
internal import Timestamps

/// Changes one part of a message after the other and sees what becomes of its reports.
struct Experiment {
    /// Readings of the message at most: some maps have a hundred thousand numbers.
    private static let trialsAtMost = 5_000
    /// Branches with more leaves are looked at as a whole first.
    private static let largeBranch = 32

    private var message: IncomingMessage
    private let filter: TopicTemplate?
    private let decoder: any TelemetryFormat
    private let fresh: any TelemetryFormat
    private let tree: PayloadTree?
    private let baseline: Outcome
    private let freshBaseline: Outcome
    private var trials = 0
    private var result = Provenance()

    init(_ message: IncomingMessage, filter: TopicTemplate?, decoder: any TelemetryFormat, fresh: any TelemetryFormat) {
        self.message = message
        self.filter = filter
        self.decoder = decoder
        self.fresh = fresh
        baseline = Outcome(decoder, message)
        var tree = PayloadTree(message.payload)
        if tree == nil, case .json(let unpacked)? = try? MapPacking.unpack(message.payload) {
            var plain = message
            plain.payload = unpacked
            // Only where it is the same to the format.
            if Outcome(decoder, plain) == baseline {
                tree = PayloadTree(unpacked)
                result.isPacked = true
            }
        }
        self.tree = tree
        freshBaseline = Outcome(fresh, message)
    }

    mutating func run() -> Provenance {
        for index in message.topic.levels.indices { explore(level: index) }
        if let tree { _ = explore(tree.root, at: [], in: tree) }
        explainRest()
        if baseline.isRejected { result.notTaken = [] }
        result.isIncomplete = trials >= Self.trialsAtMost
        return result
    }

    // MARK: Trying

    private mutating func read(_ payload: [UInt8]) -> (change: Outcome.Change, outcome: Outcome) {
        var changed = message
        changed.payload = payload
        return read(changed)
    }

    private mutating func read(_ changed: IncomingMessage) -> (change: Outcome.Change, outcome: Outcome) {
        guard trials < Self.trialsAtMost else { return (.none, baseline) }
        trials += 1
        let outcome = Outcome(decoder, changed)
        let change = baseline.change(to: outcome)
        // Another device has said nothing yet: what is known of this one is not told by its id.
        if case .fields(let fields) = change, fields.contains(where: { $0.name == "id" }) {
            return (freshBaseline.change(to: Outcome(fresh, changed)), outcome)
        }
        return (change, outcome)
    }

    // MARK: The topic

    private mutating func explore(level index: Int) {
        var levels = message.topic.levels
        let value = levels[index]
        levels[index] += "~"
        var changed = message
        changed.topic = TopicLevels(levels.joined(separator: "/"))
        if let filter {
            guard let names = filter.match(changed.topic) else { return }
            changed.names = names
        }
        var name: String?
        if let filter, index < filter.levels.count, case .named(let text) = filter.levels[index] { name = text }
        let place = Provenance.Origin.Place.topic(level: index + 1, name: name)
        switch read(changed).change {
        case .none: break
        case .kind: result.deciding.append(Provenance.Origin(place: place, value: .string(value), uses: []))
        case .fields(let fields): note(place, .string(value), fields.map { ($0, nil) })
        }
    }

    // MARK: The payload

    /// - Returns: Whether anything in this branch was taken.
    private mutating func explore(_ value: JSONValue, at path: [PayloadTree.Step], in tree: PayloadTree) -> Bool {
        let children = value.children
        guard !children.isEmpty else { return explore(leaf: value, at: path, in: tree) }
        if !path.isEmpty, value.hasMoreLeaves(than: Self.largeBranch),
            read(tree.payload(tree.root.replacing(path[...], with: nil))).change == .none
        {
            result.notTaken.append(PayloadTree.pointer(path))
            return false
        }
        let (firstOrigin, firstNotTaken) = (result.origins.count, result.notTaken.count)
        var isTaken = false
        for child in children where explore(child.value, at: path + [child.step], in: tree) { isTaken = true }
        guard !path.isEmpty else { return isTaken }
        // What the branch says by being there, such as how many elements it has.
        switch read(tree.payload(tree.root.replacing(path[...], with: nil))).change {
        case .fields(let fields):
            let told = result.origins[firstOrigin...].flatMap(\.uses).map {
                Outcome.Field(report: $0.report, name: $0.field)
            }
            let own = fields.subtracting(told)
            if !own.isEmpty {
                note(.payload(pointer: PayloadTree.pointer(path)), nil, own.map { ($0, nil) })
                isTaken = true
            }
        case .kind where !isTaken:
            decide(path, nil)
            isTaken = true
        case .kind, .none: break
        }
        if !isTaken {
            result.notTaken.removeSubrange(firstNotTaken...)
            result.notTaken.append(PayloadTree.pointer(path))
        }
        return isTaken
    }

    private mutating func explore(leaf value: JSONValue, at path: [PayloadTree.Step], in tree: PayloadTree) -> Bool {
        var (byOtherValues, byAbsence): (Set<Outcome.Field>, Set<Outcome.Field>) = ([], [])
        var decides = false
        var numbers: [(input: Double, outcome: Outcome)] = []
        let own = FieldReader.number(value)
        if let own { numbers.append((own, baseline)) }
        for variation in Variations.of(value) where !(path.isEmpty && variation.value == nil) {
            let (change, outcome) = read(tree.payload(tree.root.replacing(path[...], with: variation.value)))
            switch change {
            case .none: break
            case .kind: decides = true
            case .fields(let fields) where variation.value == nil: byAbsence = fields
            case .fields(let fields): byOtherValues.formUnion(fields)
            }
            if let number = variation.number { numbers.append((number, outcome)) }
        }
        // Without x there is no y either, but it does not tell y.
        let taken = byOtherValues.isEmpty ? byAbsence : byOtherValues
        guard !taken.isEmpty else {
            if decides { decide(path, value) } else { result.notTaken.append(PayloadTree.pointer(path)) }
            return decides
        }
        let uses = taken.map { field in
            let samples = numbers.compactMap { number in
                number.outcome[field]?.number.map { Conversion.Sample(input: number.input, output: $0) }
            }
            let conversion = own.flatMap { Conversion(field.name, of: $0, samples) }
            return (field, conversion?.text ?? (field.isTime ? value.string.map(Self.spelling) : nil))
        }
        note(.payload(pointer: PayloadTree.pointer(path)), value, uses)
        return true
    }

    private static func spelling(of time: String) -> String {
        Timestamp(iso8601: time) == nil ? "text" : "ISO 8601"
    }

    private mutating func decide(_ path: [PayloadTree.Step], _ value: JSONValue?) {
        let place = Provenance.Origin.Place.payload(pointer: PayloadTree.pointer(path))
        result.deciding.append(Provenance.Origin(place: place, value: value, uses: []))
    }

    private mutating func note(
        _ place: Provenance.Origin.Place, _ value: JSONValue?, _ uses: [(field: Outcome.Field, conversion: String?)]
    ) {
        let order = Dictionary(baseline.fields.enumerated().map { ($0.element, $0.offset) }) { first, _ in first }
        let sorted = uses.sorted { order[$0.field] ?? 0 < order[$1.field] ?? 0 }.map {
            use($0.field, $0.conversion)
        }
        result.origins.append(Provenance.Origin(place: place, value: value, uses: sorted))
    }

    private func use(_ field: Outcome.Field, _ conversion: String? = nil) -> Provenance.Use {
        var value = baseline[field] ?? .null
        if field.isTime, let time = value.number {
            value = .string(Timestamp(microseconds: Int64(time)).iso8601)
        }
        return Provenance.Use(report: field.report, field: field.name, value: value, conversion: conversion)
    }

    // MARK: What nothing was found for

    private mutating func explainRest() {
        let told = Set(result.origins.flatMap(\.uses).map { Outcome.Field(report: $0.report, name: $0.field) })
        let rest = baseline.fields.filter { !told.contains($0) }
        result.remembered = rest.filter { freshBaseline[$0] != baseline[$0] }.map { use($0) }
        let unknown = rest.filter { freshBaseline[$0] == baseline[$0] }.map { use($0) }
        // A word such as ONLINE: any other makes something else of the message.
        let isPayload = { (origin: Provenance.Origin) in if case .payload = origin.place { true } else { false } }
        if !unknown.isEmpty, result.deciding.contains(where: isPayload) {
            result.origins += result.deciding.filter(isPayload).map { origin in
                Provenance.Origin(place: origin.place, value: origin.value, uses: unknown.filter { $0.field != "id" })
            }
            result.deciding.removeAll(where: isPayload)
            result.given = unknown.filter { $0.field == "id" }
        } else {
            result.given = unknown
        }
    }
}

extension Outcome.Field {
    fileprivate var isTime: Bool { name == "time" || name == "positionTime" }
}

extension Provenance {
    fileprivate init() {}
}
