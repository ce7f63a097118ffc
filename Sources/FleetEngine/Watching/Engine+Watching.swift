internal import DisplayRules
public import JSON
public import Locations

/// What whoever shows the fleet asks the engine, on the engine's thread and not from within ``handle(_:at:)``.
extension Engine {
    /// A location as it is now, also while the broker is away; `nil` for one that is not there.
    public func shown(_ location: Identifier, source: Identifier) -> ShownLocation? {
        output.shown(location, source: source)
    }

    /// From now on keeps what ``takeRestyled()`` is to tell, which begins with all that is there.
    public func noteRestyled() {
        output.publisher.restyled = RestyledLocations()
        output.publisher.restyled?.noteAll()
    }

    /// What is to be drawn anew since the last call though no observer was told: the rules make something else of it.
    public func takeRestyled() -> RestyledLocations? {
        guard let restyled = output.publisher.restyled, restyled.isAll || !restyled.updates.isEmpty else { return nil }
        output.publisher.restyled = RestyledLocations()
        return restyled
    }

    public var sourceIDs: [Identifier] { everySource.map(\.id) }

    /// A source as the request `sources/list` lists it, as JSON; `nil` for one that is not there.
    public func sourceDescription(_ id: Identifier) -> [UInt8]? { source(id).map(describe) }

    // MARK: Rules

    /// Why a location looks as it does, as the request `explain` answers; `nil` for a location that is not there.
    ///
    /// - Parameter property: Only this one; without any where there is none of this name.
    public func explanation(of location: Identifier, source id: Identifier, property: String? = nil) -> JSONValue? {
        guard let location = source(id)?.location(location) else { return nil }
        let explanation = explanation(of: location)
        return (property.map { explanation.only($0) } ?? explanation).json(of: location)
    }

    func explanation(of location: Location) -> Explanation {
        let memory = output.topic(of: location.id, source: location.source)?.memory?.rules
        return Explanation(of: location, by: configuration.displayRules, memory: memory)
    }

    /// The display rules, strongest first, in the words of a configuration and with the place where each stands.
    public var rulesDocument: JSONValue {
        [
            "rules": .array(
                configuration.displayRules.rules.map { rule in
                    var object = JSONObject([
                        ("name", .string(rule.name)), ("level", .string("\(rule.match.level)")),
                    ])
                    if let place = rule.places?.rule {
                        object.append("file", .string(place.file))
                        object.append("line", .number(Double(place.line)))
                        object.append("column", .number(Double(place.column)))
                    }
                    object.append("match", rule.match.json)
                    for member in rule.source.members { object.append(member.key, member.value) }
                    return .object(object)
                })
        ]
    }
}
