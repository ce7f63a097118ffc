import FleetEngine
import MQTTClient
import Testing
import Timestamps

@testable import FleetBridge

@Suite("Certificates that are about to expire")
struct CertificateWatchTests {
    private static let expiry = Timestamp(iso8601: "2026-12-31T12:00:00Z")!
    private let certificate = CertificateValidity(subject: "/CN=a", notAfter: expiry.milliseconds / 1_000)

    /// So long before the expiry.
    private func before(_ time: Duration) -> Instant {
        Instant(wall: Self.expiry.advanced(by: .zero - time), monotonic: .seconds(40 * 86_400) - time)
    }

    @Test("Warnings come 21, 7 and 1 days before the end and at the end, each once")
    func thresholds() {
        var watch = CertificateWatch()
        watch.look(at: [certificate])
        var told: [Duration] = []
        var time = Duration.seconds(30 * 86_400)
        while time >= .seconds(-86_400) {
            if !watch.warnings(at: before(time)).isEmpty { told.append(time) }
            time -= .seconds(1_200)
        }
        #expect(told == [21, 7, 1, 0].map { .seconds($0 * 86_400) })
    }

    @Test("A certificate with little time left is told at once, after a new connection not again, renewed not at all")
    func connections() {
        var watch = CertificateWatch()
        watch.look(at: [certificate])
        let told = watch.warnings(at: before(.seconds(5 * 86_400)))
        #expect(told.map(\.message) == ["a certificate expires soon"])
        #expect(told.first?.fields.map(\.value) == ["/CN=a", "2026-12-31T12:00:00.000Z"])
        watch.look(at: [certificate])
        #expect(watch.warnings(at: before(.seconds(5 * 86_400))).isEmpty)
        let renewed = CertificateValidity(subject: "/CN=a", notAfter: certificate.notAfter + 90 * 86_400)
        watch.look(at: [renewed])
        #expect(watch.warnings(at: before(.zero)).isEmpty)
        watch.look(at: [certificate])
        #expect(watch.warnings(at: before(.seconds(-1))).map(\.message) == ["a certificate has expired"])
    }

    @Test("Without TLS nothing is told")
    func none() {
        var watch = CertificateWatch()
        watch.look(at: [])
        #expect(watch.warnings(at: before(.zero)).isEmpty)
    }
}
