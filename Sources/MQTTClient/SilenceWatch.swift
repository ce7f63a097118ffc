/// Decides when a broker that says nothing is given up.
///
/// libmosquitto sends a ping after one keep-alive of silence and gives up after a second one. This gives up half a
/// keep-alive after the ping, as a broker does with a client (MQTT 5.0, §3.1.2.10).
struct SilenceWatch {
    /// Zero switches the watch off.
    var keepAlive: Duration
    private var lastHeard: Duration
    private var pingSent: Duration?

    init(keepAlive: Duration, now: Duration) {
        self.keepAlive = keepAlive
        lastHeard = now
    }

    /// Bytes came in.
    mutating func heard(at now: Duration) {
        lastHeard = now
        pingSent = nil
    }

    /// Returns whether the broker is to be given up. To be called after the library had its turn, since its ping is due
    /// at the same moment: a thread that was held up for long must not give up a broker that was never asked.
    mutating func isLost(at now: Duration) -> Bool {
        guard keepAlive > .zero, now - lastHeard >= keepAlive else { return false }
        guard let pingSent else {
            pingSent = now
            return false
        }
        return now - pingSent >= keepAlive / 2
    }

    /// When to look again, `nil` when nothing is being waited for.
    var deadline: Duration? {
        pingSent.map { $0 + keepAlive / 2 }
    }
}
