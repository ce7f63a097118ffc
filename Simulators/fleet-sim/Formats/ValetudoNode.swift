/// What Valetudo's robots tell of their own topics (Homie convention 4.0.0: device, node and property attributes).
struct ValetudoNode {
    private struct Property {
        var topic: String
        var name: String
        var datatype: String
        var format: String?
        var unit: String?
    }

    private var topic: String
    private var name: String
    private var type: String
    private var properties: [Property]

    private static let all = [
        ValetudoNode(
            topic: "MapData", name: "Map data", type: "Map",
            properties: [Property(topic: "map-data", name: "Raw map data", datatype: "string")]),
        ValetudoNode(
            topic: "BatteryStateAttribute", name: "Battery state", type: "Status",
            properties: [
                Property(topic: "level", name: "Battery level", datatype: "integer", format: "0:100", unit: "%"),
                Property(
                    topic: "status", name: "Battery status", datatype: "enum",
                    format: "none,charging,discharging,charged"),
            ]),
        ValetudoNode(
            topic: "StatusStateAttribute", name: "Vacuum status", type: "Status",
            properties: [
                Property(
                    topic: "status", name: "Status", datatype: "enum",
                    format: "error,docked,idle,returning,cleaning,paused,manual_control,moving"),
                Property(
                    topic: "flag", name: "Status flag", datatype: "enum",
                    format: "none,zone,segment,spot,target,resumable,mapping"),
                Property(topic: "error_description", name: "Error description", datatype: "string"),
                Property(topic: "error", name: "Robot Error", datatype: "string", format: "json"),
            ]),
    ]

    /// Topics below the robot's own, and what stands there.
    static func attributes(of device: DeviceIdentity) -> [(String, String)] {
        [
            ("$homie", "4.0.0"), ("$name", device.name), ("$nodes", all.map(\.topic).joined(separator: ",")),
            ("$implementation", "Valetudo"),
        ] + all.flatMap(\.attributes)
    }

    private var attributes: [(String, String)] {
        [
            ("\(topic)/$name", name), ("\(topic)/$type", type),
            ("\(topic)/$properties", properties.map(\.topic).joined(separator: ",")),
        ]
            + properties.flatMap { property in
                [
                    ("$name", property.name), ("$datatype", property.datatype), ("$format", property.format),
                    ("$unit", property.unit), ("$settable", "false"), ("$retained", "true"),
                ].compactMap { key, value in value.map { ("\(topic)/\(property.topic)/\(key)", $0) } }
            }
    }
}
