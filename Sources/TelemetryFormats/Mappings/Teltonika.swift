internal import JSON

extension FormatMapping {
    /// Teltonika's JSON codec over MQTT: vehicle trackers.
    ///
    /// Numbered keys are AVL ids, any value may be text. The device is the IMEI in the topic. `0,0` is no fix, and without a
    /// fix the clock counts from 2004. The altitude is a signed number of 16 bits that may come as an unsigned one.
    static let teltonika = FormatMapping([
        .ignored(["commands"], "command", isAlive: false),
        MessageMapping {
            $0.id = ["{device}", "{-2}"]
            $0.elements = [.init("/state/reported")]
            $0.time = [MappedTime("/ts", .milliseconds)]
            $0.position = .geographic(
                MappedNumber(MappedValue("/latlng") { $0.split = .init(separator: ",", part: 0) }),
                MappedNumber(MappedValue("/latlng") { $0.split = .init(separator: ",", part: 1) }))
            $0.heading = ["/ang"]
            $0.speed = [MappedNumber("/sp", .kilometresPerHour)]
            $0.altitude = [MappedNumber("/alt", bits: 16)]
            $0.charge = ["/113"]
            let truth: [MappedValue.Meaning] = [.init("0", false), .init("1", true)]
            $0.properties = [
                .init("moving", [MappedValue("/240") { $0.table = truth }]),
                .init("ignition", [MappedValue("/239") { $0.table = truth }]),
                .init("satellites", ["/sat"]), .init("odometer", ["/16"]), .init("event", ["/evt"]),
            ]
        },
    ])
}
