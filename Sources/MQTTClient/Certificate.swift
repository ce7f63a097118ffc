import COpenSSL
import Glibc

/// How long a certificate is good, for whoever warns in time.
public struct CertificateValidity: Sendable, Hashable {
    /// Whose it is: `/CN=broker.example`.
    public var subject: String
    /// Seconds since 1970.
    public var notAfter: Int64

    public init(subject: String, notAfter: Int64) {
        self.subject = subject
        self.notAfter = notAfter
    }
}

/// Reads a certificate that OpenSSL owns.
struct Certificate {
    let raw: OpaquePointer

    var validity: CertificateValidity { CertificateValidity(subject: subject, notAfter: notAfter.seconds) }

    /// As `/CN=broker.example`.
    var subject: String { oneLine(X509_get_subject_name(raw)) }
    var issuer: String { oneLine(X509_get_issuer_name(raw)) }
    var notBefore: CertificateTime { CertificateTime(X509_get0_notBefore(raw)) }
    var notAfter: CertificateTime { CertificateTime(X509_get0_notAfter(raw)) }

    /// Whom it is for, as `DNS:broker.example, IP Address:192.0.2.1`.
    var names: String {
        let index = X509_get_ext_by_NID(raw, NID_subject_alt_name, -1)
        guard index >= 0, let text = BIO_new(BIO_s_mem()) else { return subject }
        defer { BIO_free(text) }
        guard X509V3_EXT_print(text, X509_get_ext(raw, index), 0, 0) == 1 else { return subject }
        var bytes = [UInt8](repeating: 0, count: 1_024)
        let count = BIO_read(text, &bytes, Int32(bytes.count))
        return String(decoding: bytes.prefix(Int(max(0, count))), as: UTF8.self)
    }

    /// Escapes what is not printable.
    private func oneLine(_ name: OpaquePointer?) -> String {
        var buffer = [CChar](repeating: 0, count: 512)
        guard X509_NAME_oneline(name, &buffer, Int32(buffer.count)) != nil else { return "?" }
        return buffer.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "?" }
    }
}

/// A moment as certificates write it.
struct CertificateTime {
    private var calendar = tm()

    init(_ raw: UnsafePointer<ASN1_TIME>?) { ASN1_TIME_to_tm(raw, &calendar) }

    /// Since 1970.
    var seconds: Int64 {
        var calendar = calendar
        return Int64(timegm(&calendar))
    }

    var iso8601: String {
        var (calendar, buffer) = (calendar, [CChar](repeating: 0, count: 32))
        strftime(&buffer, buffer.count, "%Y-%m-%dT%H:%M:%SZ", &calendar)
        return buffer.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
    }
}
