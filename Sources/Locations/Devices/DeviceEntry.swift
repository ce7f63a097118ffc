/// What an operator says of one device; it counts more than what the device says of itself.
public final class DeviceEntry: Sendable, Equatable {
    public let name: String?
    public let type: String?
    public let building: String?
    /// The map of positions that name none.
    public let map: Identifier?

    public init(name: String? = nil, type: String? = nil, building: String? = nil, map: Identifier? = nil) {
        (self.name, self.type, self.building, self.map) = (name, type, building, map)
    }

    public static func == (a: DeviceEntry, b: DeviceEntry) -> Bool {
        (a.name, a.type, a.building, a.map) == (b.name, b.type, b.building, b.map)
    }
}
