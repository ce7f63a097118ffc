internal import Locations

extension FormatMapping {
    /// OpenMower's robotic mowers (open_mower_ros, `xbot_monitoring`).
    ///
    /// No message has an id or a time: a mower is the prefix of its topics, else all of its broker. Metres east and north of
    /// the datum; `heading` is good only with `heading_valid`, which `position/json` has not.
    static let openMower = FormatMapping(
        [
            .ignored(["action", "command", "teleop", "rpc/request"], "command", isAlive: false),
            .ignored(["robot_state/bson"], "binary-twin"),
            MessageMapping(["robot_state/json"]) {
                $0.position = .plan("/pose/x", "/pose/y")
                let heading = MappedValue("/pose/heading") {
                    $0.validity = Validity("/pose/heading_valid", good: [1, true])
                }
                $0.heading = [MappedHeading(MappedNumber(heading, .radians), zero: .east)]
                $0.accuracy = ["/pose/pos_accuracy"]
                $0.charge = [MappedNumber("/battery_percentage", .fraction)]
                $0.charging = ["/is_charging"]
                $0.state = [
                    MappedValue("/emergency", table: ["true": "error", "false": nil]),
                    MappedValue(
                        "/current_state",
                        table: [
                            "IDLE": "idle", "MOWING": "mowing", "DOCKING": "returning", "UNDOCKING": "moving",
                            "AREA_RECORDING": "recording",
                        ]),
                ]
                $0.properties = [
                    .init("subState", [MappedValue("/current_sub_state") { $0.unknown = [""] }]),
                    .init("progress", ["/current_action_progress"]), .init("rain", ["/rain_detected"]),
                ]
            },
            MessageMapping(["position/json"]) { $0.position = .plan("/x", "/y") },
        ],
        common: MessageMapping { $0.id = ["{device}", "{-3}", "{source}"] })
}
