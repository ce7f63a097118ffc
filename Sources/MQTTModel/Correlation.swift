/// Which answer belongs to which request (MQTT 5.0, §4.10). A class, since almost no message has one.
public final class Correlation: Sendable, Equatable {
    /// Where the answer is wanted; only in requests.
    public let responseTopic: String?
    /// What the answer has to carry for the one who asked.
    public let data: [UInt8]?

    public init(responseTopic: String?, data: [UInt8]?) {
        self.responseTopic = responseTopic
        self.data = data
    }

    public static func == (a: Correlation, b: Correlation) -> Bool {
        a.data == b.data && (a.responseTopic.map { Array($0.utf8) } == b.responseTopic.map { Array($0.utf8) })
    }
}
