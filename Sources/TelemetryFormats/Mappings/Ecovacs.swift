internal import Locations

extension FormatMapping {
    /// Ecovacs' vacuums by their own broker (ecovacs-deebot.js, DeebotUniverse), and ecovacs-deebot of ioBroker.
    ///
    /// Millimetres, degrees anticlockwise from x. The time of a message is milliseconds as text.
    static let ecovacs = FormatMapping(
        [
            MessageMapping(["onPos/{device}/+/+/+"]) {
                $0.validity = [Validity("/deebotPos/invalid", good: [0])]
                $0.position = .plan(
                    MappedNumber("/deebotPos/x", .millimetres), MappedNumber("/deebotPos/y", .millimetres))
                $0.heading = [MappedHeading("/deebotPos/a", zero: .east)]
            },
            MessageMapping(["onBattery/{device}/+/+/+"]) { $0.charge = ["/value"] },
            MessageMapping(["onChargeState/{device}/+/+/+", "onChargeInfo/{device}/+/+/+"]) {
                $0.charging = [MappedValue("/isCharging", table: ["1": true, "0": false])]
                $0.state = [MappedValue("/isCharging", table: ["1": "charging", "0": nil])]
            },
            MessageMapping(["onCleanInfo/{device}/+/+/+", "onCleanInfo_V2/{device}/+/+/+"]) {
                $0.state = [
                    MappedValue("/trigger", table: ["alert": "error"], else: .some(nil)),
                    MappedValue(
                        "/cleanState/motionState",
                        table: ["working": "cleaning", "pause": "paused", "goCharging": "returning"]),
                    MappedValue(
                        "/state",
                        table: [
                            "clean": "cleaning", "washing": "docked", "drying": "docked", "goCharging": "returning",
                            "idle": "idle",
                        ]),
                ]
            },
            MessageMapping(["onError/{device}/+/+/+"]) {
                $0.properties = [.init("error", [MappedValue("/code/0") { $0.unknown = [0] }])]
            },
            .ignored(["iot/atr/+/{device}/+/+/+"], "other-topic"),
            MessageMapping(["map/deebotPosition"]) {
                func part(_ number: Int) -> MappedValue {
                    MappedValue("") { $0.split = .init(separator: ",", part: number) }
                }
                $0.payload = .text
                $0.elements = [.init("")]
                $0.id = ["{device}", "{-3}"]
                $0.position = .plan(MappedNumber(part(0), .millimetres), MappedNumber(part(1), .millimetres))
                $0.heading = [MappedHeading(MappedNumber(part(2)), zero: .east)]
            },
        ],
        common: MessageMapping {
            $0.id = ["{device}"]
            $0.elements = [.init("/body/data")]
            $0.time = [MappedTime("#/header/ts", .milliseconds)]
        })
}
