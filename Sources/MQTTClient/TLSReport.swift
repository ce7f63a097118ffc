import COpenSSL

/// What OpenSSL tells about one connection on the way; the call that fails says much less.
final class TLSReport {
    private let name: String
    private let authorities: String
    private(set) var failure: String?
    /// While the library starts to connect. In that call it would go through the whole handshake if the answers came fast,
    /// and then write to a broker that has perhaps refused our certificate: its reason would be lost. So what would be
    /// read then is put off until ``MQTTConnection/service(readable:now:)``, which reads first.
    var putsOffReading = false

    init(name: String, authorities: String?) {
        self.name = name
        self.authorities = authorities ?? "the system's authorities"
    }

    /// The other side's certificate did not pass.
    fileprivate func refuse(_ certificate: Certificate?, because code: Int32) {
        guard failure == nil else { return }  // what follows is a consequence
        let subject = certificate?.subject ?? "a certificate"
        failure =
            switch code {
            case X509_V_ERR_CERT_HAS_EXPIRED:
                "certificate expired: \(subject) for \(name) was valid until \(certificate?.notAfter.iso8601 ?? "?")"
            case X509_V_ERR_CERT_NOT_YET_VALID:
                "certificate not yet valid: \(subject) for \(name) is valid from"
                    + " \(certificate?.notBefore.iso8601 ?? "?"), which by this machine's clock is still to come"
            case X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH:
                "certificate for another host: \(subject) is for \(certificate?.names ?? "nobody"), not for \(name)"
            case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
                X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE, X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT,
                X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
                "unknown certificate authority: \(subject) was issued by \(certificate?.issuer ?? "nobody"),"
                    + " which \(authorities) does not vouch for"
            default: "\(String(cString: X509_verify_cert_error_string(Int(code)))): \(subject) for \(name)"
            }
    }

    /// The other side ended the connection with an alert (RFC 8446, §6.2).
    fileprivate func receive(alert: Int32) {
        guard failure == nil, alert != SSL_AD_CLOSE_NOTIFY else { return }
        failure =
            switch alert {
            case SSL_AD_CERTIFICATE_EXPIRED: "the broker refuses our certificate: expired"
            case SSL_AD_UNKNOWN_CA: "the broker refuses our certificate: it does not know its authority"
            case SSL_AD_BAD_CERTIFICATE, SSL_AD_UNSUPPORTED_CERTIFICATE, SSL_AD_CERTIFICATE_REVOKED,
                SSL_AD_CERTIFICATE_UNKNOWN:
                "the broker refuses our certificate: \(String(cString: SSL_alert_desc_string_long(alert)))"
            case certificateRequired: "the broker wants a certificate from us: set certFile and keyFile"
            default: "the broker refuses to go on: \(String(cString: SSL_alert_desc_string_long(alert)))"
            }
    }
}

/// `certificate_required` of TLS 1.3, for which OpenSSL 3.0 has no text.
private let certificateRequired: Int32 = 116

private func report(_ context: OpaquePointer?) -> TLSReport? {
    SSL_CTX_get_ex_data(context, 0).map { Unmanaged<TLSReport>.fromOpaque($0).takeUnretainedValue() }
}

// Functions, since a closure takes the isolation of where it stands and can trap.

func onVerify(isGood: Int32, store: OpaquePointer?) -> Int32 {
    guard isGood == 0, let store else { return 1 }
    let connection = X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx())
    let certificate = X509_STORE_CTX_get_current_cert(store).map(Certificate.init)
    report(SSL_get_SSL_CTX(connection.map { OpaquePointer($0) }))?
        .refuse(certificate, because: X509_STORE_CTX_get_error(store))
    return 0
}

func onInformation(connection: OpaquePointer?, kind: Int32, value: Int32) {
    guard let report = report(SSL_get_SSL_CTX(connection)) else { return }
    if kind & SSL_CB_READ_ALERT == SSL_CB_READ_ALERT { report.receive(alert: value & 0xFF) }
    if kind & SSL_CB_HANDSHAKE_START != 0, let socket = SSL_get_rbio(connection), BIO_get_callback_arg(socket) == nil {
        BIO_set_callback_arg(socket, Unmanaged.passUnretained(report).toOpaque().assumingMemoryBound(to: CChar.self))
        BIO_set_callback_ex(socket, onSocket)
    }
}

private func onSocket(
    socket: OpaquePointer?, operation: Int32, _: UnsafePointer<CChar>?, _: Int, _: Int32, _: Int, result: Int32,
    _: UnsafeMutablePointer<Int>?
) -> Int {
    guard operation == BIO_CB_READ, let context = BIO_get_callback_arg(socket) else { return Int(result) }
    let report = Unmanaged<TLSReport>.fromOpaque(context).takeUnretainedValue()
    guard report.putsOffReading else { return Int(result) }
    BIO_set_flags(socket, BIO_FLAGS_READ | BIO_FLAGS_SHOULD_RETRY)
    return -1
}
