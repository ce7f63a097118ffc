import JSON
import MQTTModel
import Timestamps

/// The messages of some vacuums, each as a simulator writes it.
struct NativeTelemetry {
    static let start = Timestamp(milliseconds: 1_795_953_600_000)

    let messages: [Message]
    /// When the last of them was sent, after ``start``.
    let end: Duration

    /// - Parameters:
    ///   - first: How many messages there were before.
    ///   - devices: How many vacuums there are; they speak in turn.
    init(count: Int, from first: Int, devices: Int = 16) {
        end = .milliseconds((first + count) / devices * 500)
        let filters: [UInt32] = [1]
        messages = (first..<first + count).map { index in
            let device = index % devices
            let step = Double(index / devices)
            let lat = JSONNumber.text(of: ((57.0582502 + step * 0.0000031) * 1e7).rounded() / 1e7)
            let lon = JSONNumber.text(of: ((9.9504788 + step * 0.0000017) * 1e7).rounded() / 1e7)
            let ts = Self.start.advanced(by: .milliseconds(index / devices * 500)).iso8601
            // A percent in ten seconds, faster than any battery; the devices are spread over all bands.
            let charge = 100 - (index / devices / 20 + device * 7) % 100
            let text = """
                {"lat":\(lat),"lon":\(lon),"floor":\(device % 4 * 10),"charge":\(charge),"heading":\(index % 3600 / 10).5,\
                "speed":0.42,"accuracy":0.3,"ts":"\(ts)","seq":\(index / devices),"state":"cleaning","name":"Vacuum \(device)",\
                "type":"robot-vacuum","building":"Stigsborgvej"}
                """
            return Message(
                topicName: "fleet/vacuums/vacuum\(device)/telemetry", payload: Array(text.utf8), qos: .atLeastOnce,
                subscriptionIdentifiers: filters)
        }
    }
}
