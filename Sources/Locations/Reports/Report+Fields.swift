public import JSON
public import Timestamps

extension Report {
    /// What the message sets, flat, under the names that a styled state has; `null` where it says that a value is unknown.
    ///
    /// - Parameter time: The device's time, where it is to be shown.
    public func fields(time: Timestamp?) -> JSONObject {
        var object = JSONObject([("id", .string(id.text))])
        func add<Value>(_ key: String, _ reading: Reading<Value>, _ value: (Value) -> JSONValue) {
            switch reading {
            case .absent: break
            case .unknown: object.append(key, .null)
            case .value(let known): object.append(key, value(known))
            }
        }
        switch position {
        case .absent: break
        case .unknown: object.append("positionLost", true)
        case .value(.geographic(let position)):
            object.append("lat", .number(position.latitude))
            object.append("lon", .number(position.longitude))
        case .value(.plan(let x, let y, let map)):
            object.append("x", .number(x))
            object.append("y", .number(y))
            if let map { object.append("map", .string(map)) }
        }
        add("floor", floor) {
            switch $0 {
            case .number(let number): .number(number)
            case .text(let text): .string(text)
            case .index(let index): .number(Double(index))
            }
        }
        add("charge", charge) { .number($0) }
        add("charging", charging) { .bool($0) }
        add("heading", heading) { .number($0) }
        add("speed", speed) { .number($0) }
        add("accuracy", accuracy) { .number($0) }
        add("altitude", altitude) { .number($0) }
        if let time { object.append("time", .string(time.iso8601)) }
        add("state", state) { .string($0) }
        add("name", name) { .string($0) }
        add("type", type) { .string($0) }
        add("building", building) { .string($0) }
        if let connection { object.append("connection", .string(connection.rawValue)) }
        if !properties.isEmpty { object.append("properties", .object(properties)) }
        return object
    }
}
