extension FormatMapping {
    /// Equinor's ISAR (equinor/isar, equinor/flotilla): inspection robots.
    ///
    /// Pose, battery and status are topics of one robot. The orientation is a quaternion; the frame that the message names
    /// is the plan.
    static let isar = FormatMapping(
        [
            MessageMapping(["pose"]) {
                $0.position = .plan(
                    "/pose/position/x", "/pose/position/y", map: ["/pose/frame/name", "/pose/position/frame/name"])
                $0.heading = [MappedHeading(MappedNumber("/pose/orientation", .quaternion))]
            },
            MessageMapping(["battery"]) {
                $0.charge = ["/battery_level"]
                $0.charging = [MappedValue("/battery_state", table: ["Charging": true, "Normal": false])]
            },
            MessageMapping(["status", "robot_status"]) {
                $0.connection = [MappedValue("/status", table: ["offline": "offline"], else: "online")]
                $0.state = [
                    MappedValue(
                        "/status",
                        table: [
                            "available": "idle", "busy": "moving", "paused": "paused", "pausing": "paused",
                            "returnhomepaused": "paused", "pausingreturnhome": "paused", "home": "docked",
                            "returninghome": "returning", "goingtolockdown": "returning",
                            "goingtorecharging": "returning", "goingtorechargingwithmission": "returning",
                            "recharging": "charging", "rechargingwithmission": "charging",
                            "interventionneeded": "error", "blockedprotectivestop": "error", "stopping": "idle",
                            "stoppingreturnhome": "idle", "lockdown": "lockdown", "maintenance": "maintenance",
                            "offline": nil,
                        ])
                ]
            },
            MessageMapping(["robot_info"]) {
                $0.properties = [.init("model", ["/robot_model"]), .init("serialNumber", ["/robot_serial_number"])]
            },
            .ignored(["robot_heartbeat"], "heartbeat"),
            .ignored(["{device}/+"], "other-topic"),
        ],
        common: MessageMapping {
            $0.id = ["{device}", "/isar_id", "{-2}"]
            $0.name = ["/robot_name"]
            $0.time = ["/timestamp"]
        })
}
