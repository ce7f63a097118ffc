public import MQTTModel

extension ValueParser where Value == BrokerAddress {
    /// `mqtt://HOST[:PORT]`, without credentials: every user of the machine sees a command line.
    public static var brokerAddress: ValueParser {
        word { text throws(UsageError) in
            do throws(BrokerAddress.SyntaxError) {
                return try BrokerAddress(url: text)
            } catch {
                throw UsageError(error.message)
            }
        }
    }
}
