import DisplayRules
import Expressions
import Glibc
import JSON
import Locations
import Timestamps

/// How fast expressions and rules are, on one core.
struct RuleSpeed {
    private let devices: [Device] = (0..<64).map(Device.init)
    private let rounds = 31
    private let passes = 400

    static let charge: JSONValue = ["step", ["get", "charge"], "red", 30, "yellow", 60, "green"]
    /// Five branches with all, any, in, has, ==, < and >.
    static let branches: JSONValue = [
        "case", ["all", ["has", "state"], ["==", ["get", "state"], "error"]], "red",
        ["any", ["==", ["get", "status"], "lost"], ["==", ["get", "status"], "offline"]], "grey",
        ["in", ["get", "state"], ["literal", ["docked", "charging"]]], "blue", ["<", ["get", "charge"], 20], "orange",
        [">", ["get", "speed"], 0.5], "green", "black",
    ]
    static let label: JSONValue = [
        "concat", ["get", "name"], " ", ["to-string", ["round", ["get", "charge"]]], "%",
    ]
    private static let full: [(String, JSONValue)] = [
        ("visible", true), ("icon", ["coalesce", ["image", "robot-vacuum"], ["image", "marker"]]),
        ("iconColor", charge), ("iconOpacity", ["case", ["==", ["get", "status"], "live"], 1, 0.5]),
        ("iconRotation", ["get", "heading"]), ("label", label), ("labelColor", branches),
        ("zoomFrom", ["match", ["get", "type"], "robot-vacuum", 15, "People", 17, 10]),
    ]

    func figures() throws -> [(String, JSONValue)] {
        let color = try expression(Self.charge, .color)
        let good = evaluations(of: color) { $0.charge = 72 }
        let missing = evaluations(of: color) { $0.charge = nil }
        return [
            ("step-evaluations-per-second", rounded(evaluations(of: color))),
            ("case-evaluations-per-second", rounded(evaluations(of: try expression(Self.branches, .color)))),
            ("label-evaluations-per-second", rounded(evaluations(of: try expression(Self.label, .string)))),
            ("full-rule-locations-per-second", rounded(try locations())),
            ("full-rule-locations-per-second-by-charge", rounded(try locationsByCharge())),
            ("missing-charge-to-good-path", rounded(missing / good, 3)),
        ]
    }

    private func expression(_ json: JSONValue, _ specification: PropertySpecification) throws -> Expression {
        try Expression.compile(json, for: specification, in: CompileEnvironment(slots: Device.slots))
    }

    /// - Returns: A second; the median of the rounds.
    private func evaluations(of expression: Expression, _ adjust: (Device) -> Void = { _ in }) -> Double {
        let devices = (0..<64).map(Device.init)
        devices.forEach(adjust)
        var missed = 0
        let rate = rate(devices.count * passes) {
            for _ in 0..<passes {
                for device in devices {
                    do throws(EvaluationError) {
                        if try expression.evaluate(device).isMissing { missed += 1 }
                    } catch {
                        missed += 1
                    }
                }
            }
        }
        precondition(missed >= 0)
        return rate
    }

    private func locations() throws -> Double {
        let cascade = DisplayRuleSet([try DisplayRule(name: "full", set: Self.full)]).cascade(for: devices[0].location)
        let locations = devices.map(\.location)
        var display = Display()
        var errors: [RuleError] = []
        let rate = rate(locations.count * passes) {
            for _ in 0..<passes {
                for location in locations { display = cascade.resolve(location, errors: &errors) }
            }
        }
        precondition(errors.isEmpty && display.values.count == Self.full.count)
        return rate
    }

    /// Of each location only the charge is new, each time.
    private func locationsByCharge() throws -> Double {
        let cascade = DisplayRuleSet([try DisplayRule(name: "full", set: Self.full)]).cascade(for: devices[0].location)
        let before = devices.map(\.location)
        let after = before.map { location in
            var location = location
            location.charge = location.charge.map { 100 - $0 }
            return location
        }
        var errors: [RuleError] = []
        let styles = before.map { LocationStyle(of: $0, by: cascade, errors: &errors) }
        var evaluations = 0
        let rate = rate(styles.count * passes) {
            for pass in 1...passes {
                let locations = pass % 2 == 0 ? before : after
                for index in locations.indices {
                    evaluations += styles[index].update(locations[index], by: cascade, errors: &errors)
                }
            }
        }
        precondition(errors.isEmpty && evaluations == styles.count * passes * (rounds + 1) * 3)
        return rate
    }

    private func rate(_ count: Int, _ work: () -> Void) -> Double {
        // The thread's own time: what else the machine does is not in it.
        func seconds() -> Double {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
        }
        var rates: [Double] = []
        for round in 0...rounds {
            let start = seconds()
            work()
            if round > 0 { rates.append(Double(count) / (seconds() - start)) }
        }
        return median(rates)
    }
}

/// A device prepared for evaluation: its fields are at hand, as the reference implementation's objects are.
private final class Device: ExpressionFeature {
    static let slots = ["name": 0, "charge": 1, "status": 2, "state": 3, "speed": 4]

    let name: String
    var charge: Double?
    let status: String
    let state: String
    let speed: Double

    init(_ index: Int) {
        name = "Vacuum \(index)"
        charge = Double(index * 37 % 100) + 0.25
        status = index % 9 == 0 ? "lost" : "live"
        state = ["cleaning", "docked", "error", "moving"][index % 4]
        speed = Double(index % 3) * 0.4
    }

    func property(_ name: PropertyName) -> Value? {
        switch name.slot {
        case 0: .string(self.name)
        case 1: charge.map { .number($0) }
        case 2: .string(status)
        case 3: .string(state)
        case 4: .number(speed)
        default: nil
        }
    }

    var properties: JSONObject { JSONObject() }

    var location: Location {
        var location = Location(id: Identifier(name), source: "vacuums", time: Timestamp(milliseconds: 0))
        location.name = name
        location.type = "robot-vacuum"
        location.charge = charge
        location.speed = speed
        location.heading = 123.5
        location.properties["state"] = .string(state)
        return location
    }
}
