extension FormatMapping {
    /// HSL's High-Frequency Positioning, version 2 (Digitransit): Helsinki's public transport.
    ///
    /// A vehicle is operator and number of its topic; the `oper` of the payload is who runs the trip. One member a message,
    /// called as its event. `acc` is an acceleration. In tunnels `lat` and `long` are `null`: no fix.
    static let hslHFP = FormatMapping([
        MessageMapping(["hfp/v2/+/+/+/+/{operator}/{vehicle}/#"]) {
            $0.id = [MappedValue("{operator}/{vehicle}") { $0.dropsLeadingZeros = true }]
            $0.elements = [.init("", isEach: true)]
            $0.time = ["/tst", "/tsi"]
            let coordinate = { (source: ValueSource) in
                MappedNumber<CoordinateUnit>(MappedValue(source) { $0.unknown = [nil] })
            }
            $0.position = .geographic(coordinate("/lat"), coordinate("/long"))
            $0.heading = ["/hdg"]
            $0.speed = ["/spd"]
            $0.name = ["/desi"]
            $0.properties = [
                .init("event", ["{key}"]), .init("route", ["/route"]), .init("direction", ["/dir"]),
                .init("delay", ["/dl"]), .init("odometer", ["/odo"]), .init("positioning", ["/loc"]),
                .init("occupancy", ["/occu"]),
            ]
        }
    ])
}
