internal import Locations

extension FormatMapping {
    /// Pozyx (docs.pozyx.io, *MQTT data structure*): UWB tags.
    ///
    /// Always a list. Millimetres on one plan without a name; `success` `false` is no fix. No source tells the unit of `yaw`,
    /// so there is no heading.
    static let pozyx = FormatMapping([
        MessageMapping {
            $0.id = ["/tagId"]
            $0.time = [MappedTime("/timestamp", .seconds)]
            $0.validity = [Validity("/success", good: [true])]
            $0.position = .plan(
                MappedNumber("/data/coordinates/x", .millimetres), MappedNumber("/data/coordinates/y", .millimetres))
            $0.properties = [.init("error", ["/errorCode"])]
        }
    ])
}
