internal import DisplayRules
internal import Expressions
internal import JSON
internal import Locations
internal import SettingsFile
internal import YAML

extension DisplayRuleDraft {
    /// Compiles the rule, and leads the faults in its expressions back to their places in the file.
    ///
    /// - Parameters:
    ///   - file: Where it stands, as the user named it.
    ///   - icons: Names of the images that there are; `nil`: any.
    /// - Returns: `nil` where it has faults.
    func compile(index: Int, file: String, icons: [String]?, _ context: Context) -> DisplayRule? {
        let context = context.entering(index)
        var isJSON = true
        func json(_ node: YAMLNode, _ context: Context) -> JSONValue {
            node.json { error in
                isJSON = false
                context.error(at: error.place, error.message)
            }
        }
        let condition = when.map { json($0, context.entering("when")) }
        let end = until.map { json($0, context.entering("until")) }
        let values = properties.map { ($0.key, json($0.value, context.entering("set").entering($0.key))) }
        guard isJSON else { return nil }
        do throws(RuleFaults) {
            let rule = try DisplayRule(
                name: name ?? "rule \(index + 1)", match: match.ruleMatch, when: condition, until: end,
                hysteresis: hysteresis?.value, set: values,
                images: icons.map { ImageNames($0) } ?? .all, places: places(in: file))
            if rule.hasConstantCondition, let when {
                context.entering("when").warning(at: when.place, "the condition is the same for every location")
            }
            if let icons {
                for (property, name) in rule.constantImages where !icons.contains(where: { $0.hasSameBytes(as: name) })
                {
                    guard let entry = entry(property), !name.isEmpty else { continue }
                    context.entering("set").entering(property).warning(
                        at: entry.value.place, "\"\(name)\" is none of the icons\(hint(name, icons))")
                }
            }
            return rule
        } catch {
            for fault in error.faults { report(fault, context) }
            return nil
        }
    }

    private func places(in file: String) -> RulePlaces {
        var places = RulePlaces(rule: FilePlace(file: file, line: place.line, column: place.column))
        places.when = when?.expressionPlaces
        places.until = until?.expressionPlaces
        places.values = properties.map(\.value.expressionPlaces)
        return places
    }

    private func report(_ fault: RuleFault, _ context: Context) {
        // Upstream's words are sentences.
        let message = fault.message.last == "." ? String(fault.message.dropLast()) : fault.message
        let suggestion = fault.suggestion.map { "; did you mean \"\($0)\"?" } ?? ""
        switch fault.place {
        case .when:
            guard let when else { return }
            context.entering("when").error(when.descendant(at: fault.path), message + suggestion)
        case .until:
            guard let until else { return }
            context.entering("until").error(until.descendant(at: fault.path), message + suggestion)
        case .hysteresis:
            guard let hysteresis else { return }
            context.entering("hysteresis").error(hysteresis.node, message)
        case .value(let key):
            guard let entry = entry(key) else { return }
            context.entering("set").entering(key).error(entry.value.descendant(at: fault.path), message + suggestion)
        case .name(let key):
            guard let entry = entry(key) else { return }
            let known = DisplayProperty.known.map(\.name)
            let nearest = suggestion.isEmpty ? hint(key, known) : suggestion
            context.entering("set").error(
                at: entry.keyPlace,
                "unknown display property \"\(key)\""
                    + (nearest.isEmpty
                        ? "; names of your own begin with x-, known are \(known.joined(separator: ", "))" : nearest))
        }
    }

    private func entry(_ key: String) -> YAMLEntry? { properties.first { $0.key.hasSameBytes(as: key) } }
}

extension YAMLNode {
    var expressionPlaces: ExpressionPlaces {
        ExpressionPlaces(
            line: place.line, column: place.column, elements: sequence?.map(\.expressionPlaces) ?? [])
    }
}

extension DisplayRuleDraft.Match {
    var ruleMatch: RuleMatch {
        var match = RuleMatch()
        match.sources = source?.map { Identifier($0.value) }
        match.types = type?.map { Identifier($0) }
        match.locations = location?.map { Identifier($0) }
        match.buildings = building?.map { Identifier($0) }
        match.floors = floor
        return match
    }
}
