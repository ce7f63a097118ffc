import DisplayRules
import Geometry
import JSON
import Locations
import Randomness
import Testing
import Timestamps

/// Random rules on a location that changes at random: whatever is kept, the state is the one that evaluating all of it
/// gives.
struct LocationStyleProperties {
    /// What makes a run.
    private struct Source {
        var random: SeededRandom

        mutating func chance(_ probability: Double) -> Bool { random.uniform(in: 0...1) < probability }

        mutating func pick<Element>(_ elements: [Element]) -> Element {
            elements[Int(random.next() % UInt64(elements.count))]
        }

        mutating func number() -> JSONValue {
            pick([
                ["get", "charge"], ["get", "speed"], ["get", "level"], ["get", "heading"],
                ["to-number", ["get", "state"]],
            ])
        }

        mutating func condition() -> JSONValue {
            pick([
                ["<", number(), .number(random.uniform(in: 0...100).rounded())], ["==", ["get", "state"], "docked"],
                ["!=", ["get", "status"], "live"], ["has", pick(["charge", "nick", "level"])],
                ["within", LocationStyleProperties.square], ["boolean", ["get", "flag"]],
                ["==", ["get", "floor"], 10],
                ["in", ["get", "state"], ["literal", ["cleaning", "error"]]],
            ])
        }

        mutating func color() -> JSONValue {
            pick([
                "grey", nil, ["step", ["get", "charge"], "red", 30, "yellow", 60, "green"],
                ["case", condition(), "blue", "black"], ["to-color", ["get", "paint"]],
                ["interpolate", ["linear"], number(), 0, "red", 100, "green"],
            ])
        }

        mutating func size() -> JSONValue {
            pick([
                2, nil, number(), ["step", ["get", "charge"], 1, 25, 2, 75, 3], ["number", ["get", "paint"]],
                ["*", number(), 2], ["distance", LocationStyleProperties.square],
            ])
        }

        mutating func text() -> JSONValue {
            pick([
                "x", nil, ["get", "name"], ["string", ["get", "nick"]], ["get", ["get", "state"]],
                ["concat", ["get", "name"], " ", ["to-string", ["round", number()]]],
                ["to-string", ["properties"]], ["get", "time"], ["error", "no"],
            ])
        }

        mutating func rule(_ number: Int) throws -> DisplayRule {
            var match = RuleMatch()
            if chance(0.2) { match.types = ["robot", "mop"] }
            if chance(0.2) { match.floors = [pick([0, 10])] }
            if chance(0.1) { match.sources = ["robots"] }
            if chance(0.1) { match.buildings = ["B"] }
            var set: [(String, JSONValue)] = []
            if chance(0.7) { set.append(("iconColor", color())) }
            if chance(0.6) { set.append(("iconSize", size())) }
            if chance(0.6) { set.append(("label", text())) }
            if chance(0.3) { set.append(("x-own", chance(0.5) ? text() : size())) }
            let when: JSONValue? = chance(0.6) ? .some(condition()) : .none
            let until: JSONValue? = when != nil && chance(0.4) ? .some(condition()) : .none
            var hysteresis: Hysteresis?
            if chance(0.5) {
                let property = pick(["charge", "level"])
                let input: JSONValue = ["to-number", ["get", .string(property)]]
                set.append(("labelColor", ["step", input, "red", 30, "yellow", 60, "green"]))
                hysteresis = Hysteresis(
                    property: property, margin: chance(0.8) ? 5 : nil, hold: chance(0.5) ? .seconds(3) : nil)
            }
            return try DisplayRule(
                name: "rule \(number)", match: match, when: when, until: until, hysteresis: hysteresis, set: set)
        }

        mutating func change(_ location: inout Location) {
            func number(_ range: ClosedRange<Double>) -> Double? {
                chance(0.15) ? nil : random.uniform(in: range).rounded()
            }
            switch random.next() % 14 {
            case 0, 1, 2: location.charge = number(0...100)
            case 3: location.speed = number(0...3)
            case 4: location.heading = number(0...359)
            case 5: location.position = number(56...58).flatMap { Position(latitude: $0, longitude: 9) }
            case 6: location.status = pick(LocationStatus.allCases)
            case 7: location.floor = pick([0, 10, 20, nil])
            case 8: location.type = pick(["robot", "mop", nil])
            case 9: location.name = pick(["Robot 1", "Robot 2", nil])
            case 10: location.building = pick(["B", "C", nil])
            case 11: location.time = location.time.advanced(by: .seconds(1))
            default:
                let name = pick(["state", "level", "nick", "paint", "flag", "other"])
                let values: [String: [JSONValue?]] = [
                    "state": ["cleaning", "docked", "error", "12", "nick", nil],
                    "level": [10, 28, 33, 50, "28", "33", "many", nil],
                    "nick": ["Robbie", nil, 7], "paint": ["red", "nothing", 3, nil], "flag": [true, false, "yes", nil],
                    "other": [1, 2, nil],
                ]
                location.properties[name] = pick(values[name] ?? [])
            }
        }
    }

    private static let square: JSONValue = [
        "type": "Polygon", "coordinates": [[[8, 56.5], [10, 56.5], [10, 57.5], [8, 57.5], [8, 56.5]]],
    ]

    /// The rules of a run and what they have come to, step by step and all anew.
    private struct Run {
        var rules: RuleBook
        var location = LocationStyleTests.location
        var memory = RuleMemory()
        var style: LocationStyle?
        /// The bands as seen by the kept style, and by styles made anew.
        var watch = BandWatch()
        var freshWatch = BandWatch()

        mutating func advance(to second: Int) {
            var errors: [RuleError] = []
            _ = rules.cascade(for: location).advance(&memory, with: location, at: .seconds(second), errors: &errors)
        }

        mutating func compare(_ place: String) {
            let cascade = style?.cascade(for: location) ?? rules.cascade(for: location)
            var (errors, allErrors): ([RuleError], [RuleError]) = ([], [])
            let fresh = LocationStyle(of: location, by: cascade, memory: memory, errors: &allErrors)
            if style?.update(location, by: cascade, memory: memory, errors: &errors) == nil { style = fresh }
            guard let style else { return }
            #expect(Self.json(style.display) == Self.json(fresh.display), "\(place)")
            #expect(
                Self.json(style.display) == Explanation(of: location, by: rules.set, memory: memory).display,
                "\(place)")
            let known = allErrors.map { "\($0.rule)/\($0.property): \($0.message)" }
            #expect(errors.allSatisfy { known.contains("\($0.rule)/\($0.property): \($0.message)") }, "\(place)")
            #expect(style.follow(&watch, of: location) == fresh.follow(&freshWatch, of: location), "\(place)")
            var kept = JSONWriter()
            var new = JSONWriter()
            #expect(style.write(location, nil, to: &kept) == fresh.write(location, nil, to: &new))
            #expect(kept.bytes == new.bytes, "\(place)")
        }

        private static func json(_ display: Display) -> JSONObject {
            JSONObject(display.values.map { ($0.property, $0.value.displayJSON) })
        }
    }

    @Test("What is kept is what evaluating all of it gives", arguments: 1...20)
    func equality(seed: UInt64) throws {
        var source = Source(random: SeededRandom(seed: seed))
        func rules() throws -> RuleBook {
            RuleBook(try (0..<1 + Int(source.random.next() % 7)).map { try source.rule($0) })
        }
        var run = Run(rules: try rules())
        for step in 0..<100 {
            for _ in 0..<source.random.next() % 4 {
                source.change(&run.location)
                run.advance(to: step)
            }
            // As by a reload: other rules, and the memory of those that stay.
            if source.chance(0.02) {
                run.rules = try rules()
                var errors: [RuleError] = []
                let cascade = run.rules.cascade(for: run.location)
                _ = run.style?.update(run.location, by: cascade, memory: run.memory, errors: &errors)
            }
            run.advance(to: step)
            run.compare("seed \(seed), step \(step)")
        }
    }
}

/// Rules with the cascades made of them, of which locations that the same rules match share one.
final class RuleBook {
    let set: DisplayRuleSet
    private var cascades: [[Int]: Cascade] = [:]

    init(_ rules: [DisplayRule]) { set = DisplayRuleSet(rules) }

    func cascade(for location: Location) -> Cascade {
        let numbers = set.matching(location)
        if let known = cascades[numbers] { return known }
        let cascade = set.cascade(of: numbers)
        cascades[numbers] = cascade
        return cascade
    }
}
