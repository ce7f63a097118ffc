internal import Locations

extension FormatMapping {
    /// flespi's messages of vehicle trackers (flespi.com, *Message — basic information unit*).
    ///
    /// Flat keys with dots, one message or a list. A device is its `ident`; km/h; without `position.valid` the place is an
    /// old one repeated.
    static let flespi = FormatMapping([
        .ignored(["flespi/state/#", "flespi/log/#", "flespi/interval/#"], "other-topic", isAlive: false),
        MessageMapping {
            $0.id = ["/ident", "{ident}"]
            $0.name = ["/device.name"]
            $0.time = [MappedTime("/timestamp", .seconds)]
            $0.validity = [Validity("/position.valid", good: [true])]
            $0.position = .geographic("/position.latitude", "/position.longitude")
            $0.heading = ["/position.direction"]
            $0.speed = [MappedNumber("/position.speed", .kilometresPerHour)]
            $0.altitude = ["/position.altitude"]
            $0.charge = ["/battery.level"]
            $0.charging = ["/battery.charging.status"]
            $0.properties = [
                .init("moving", ["/movement.status"]), .init("ignition", ["/engine.ignition.status"]),
                .init("satellites", ["/position.satellites"]),
            ]
        },
    ])
}
