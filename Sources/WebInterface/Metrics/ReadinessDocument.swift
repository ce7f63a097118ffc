internal import FleetEngine
internal import JSON

/// What `/readyz` says.
enum ReadinessDocument {
    /// A round trip is expected every 5 s.
    static let oldest = Duration.seconds(15)

    /// - Parameter withDetails: What is told only to who may see the fleet.
    static func make(_ readiness: Readiness, withDetails: Bool) -> (isReady: Bool, document: JSONValue) {
        var reasons: [(String, String)] = []
        if !readiness.isConnected {
            reasons.append(("not-connected", "the broker does not have the bridge, or is being read"))
        }
        if !readiness.isReading, readiness.isConnected {
            reasons.append(("not-reading", "the broker that is read from does not have the bridge"))
        }
        for filter in readiness.deniedFilters { reasons.append(("subscription-refused", filter)) }
        switch readiness.roundTripAge {
        case nil:
            if readiness.isConnected { reasons.append(("no-round-trip", "no message has come round yet")) }
        case let age? where age > oldest:
            reasons.append(("no-round-trip", "the last message came round \(Int(age / .seconds(1))) s ago"))
        default: break
        }
        var document = JSONObject([
            ("ready", .bool(reasons.isEmpty)),
            (
                "reasons",
                .array(
                    reasons.map { slug, detail in
                        var reason = JSONObject([("reason", .string(slug))])
                        if withDetails { reason.append("detail", .string(detail)) }
                        return .object(reason)
                    })
            ),
        ])
        if let roundTrip = readiness.roundTrip {
            document.append("roundTripMilliseconds", .number((roundTrip / .microseconds(100)).rounded() / 10))
        }
        return (reasons.isEmpty, .object(document))
    }
}
