internal import Locations

extension FormatMapping {
    /// Sewio RTLS Studio's feeds (docs.sewio.net): UWB tags.
    ///
    /// Every value is a text with blanks, in a list by name. `clr` 9999 is a position that could not be computed. Times name no
    /// zone: the source's `timeZone`.
    static let sewio = FormatMapping([
        MessageMapping {
            func current(_ stream: String) -> MappedValue {
                MappedValue(ValueSource(stringLiteral: "/body/datastreams/id=\(stream)/current_value")) {
                    $0.trim = "%"
                }
            }
            $0.has = ["/body/datastreams"]
            $0.id = ["/body/id", "{device}"]
            $0.time = ["/body/datastreams/id=posX/at", "/body/datastreams/0/at"]
            $0.validity = [Validity("/body/datastreams/id=clr/current_value", bad: [9999])]
            $0.position = .plan(MappedNumber(current("posX")), MappedNumber(current("posY")))
            $0.charge = [MappedNumber(current("battery_level"))]
            $0.properties = [.init("clr", [current("clr")])]
        }
    ])
}
