internal import FleetEngine
internal import MQTTClient
internal import Timestamps

/// Warns when a certificate is about to expire: 21, 7 and 1 days before, and when it has. A connection outlives its
/// certificates, and the next one would fail.
struct CertificateWatch {
    private static let thresholds = [21, 7, 1, 0]
    private static let day: Int64 = 86_400
    private static let interval = Duration.seconds(3_600)

    private var certificates: [CertificateValidity] = []
    /// The last threshold told of each certificate.
    private var told: [CertificateValidity: Int] = [:]
    private var nextLook = Duration.zero

    /// A connection stands on these now.
    mutating func look(at certificates: [CertificateValidity]) {
        self.certificates = certificates
        told = told.filter { certificates.contains($0.key) }
        nextLook = .zero
    }

    /// - Returns: What is to be said now, once for each threshold.
    mutating func warnings(at now: Instant) -> [LogEntry] {
        guard !certificates.isEmpty, now.monotonic >= nextLook else { return [] }
        nextLook = now.monotonic + Self.interval
        return certificates.compactMap { certificate in
            let left = certificate.notAfter - now.wall.milliseconds / 1_000
            guard let threshold = Self.thresholds.last(where: { left <= Int64($0) * Self.day }),
                told[certificate].map({ threshold < $0 }) ?? true
            else { return nil }
            told[certificate] = threshold
            let until = Timestamp(microseconds: certificate.notAfter * 1_000_000)
            return LogEntry(
                .warning, left > 0 ? "a certificate expires soon" : "a certificate has expired",
                ["certificate": certificate.subject, "validUntil": until.iso8601])
        }
    }
}
