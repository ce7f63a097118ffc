internal import DisplayRules
internal import JSON
internal import Timestamps

extension BandChange {
    /// The payload for the location's event topic.
    func event(at time: Timestamp) -> [UInt8] {
        let event: JSONValue = [
            "event": "bandChanged", "time": .string(time.iso8601), "property": .string(property),
            "rule": .string(rule), "input": .string(input), "value": .number(value), "from": from, "to": to,
        ]
        return Array(event.text.utf8)
    }
}
