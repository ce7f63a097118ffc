extension FormatMapping {
    /// Transistor Software's background geolocation (react-native-background-geolocation, `Location.d.ts`): the shape of most
    /// phone apps, with CoreLocation's names.
    ///
    /// The place stands in `location`, alone or in a list, or is the message itself. −1 is unknown; the charge is a fraction.
    static let backgroundGeolocation = FormatMapping([
        MessageMapping {
            func known(_ source: ValueSource) -> MappedValue { MappedValue(source) { $0.unknown = [-1] } }
            $0.id = ["{device}", "{-2}", "{-1}"]
            $0.elements = [.init("/location"), .init("")]
            $0.time = ["/timestamp"]
            $0.position = .geographic("/coords/latitude", "/coords/longitude")
            $0.accuracy = [MappedNumber(known("/coords/accuracy"))]
            $0.altitude = ["/coords/altitude"]
            $0.speed = [MappedNumber(known("/coords/speed"))]
            $0.heading = [MappedHeading(MappedNumber(known("/coords/heading")))]
            $0.floor = ["/coords/floor"]
            $0.charge = [MappedNumber(known("/battery/level"), .fraction)]
            $0.charging = ["/battery/is_charging"]
            $0.properties = [
                .init("event", ["/event"]), .init("activity", ["/activity/type"]), .init("moving", ["/is_moving"]),
                .init("mock", ["/mock"]), .init("sample", ["/sample"]), .init("odometer", ["/odometer"]),
            ]
        }
    ])
}
