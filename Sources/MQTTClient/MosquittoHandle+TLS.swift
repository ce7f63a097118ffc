import CMosquitto
import COpenSSL
import Glibc

/// What is done with a connection over TLS.
extension MosquittoHandle {
    /// The connection while its TLS handshake is not done.
    var shaking: OpaquePointer? {
        guard tls != nil, let connection = mosquitto_ssl_get(raw).map({ OpaquePointer($0) }) else { return nil }
        return SSL_is_init_finished(connection) == 0 ? connection : nil
    }

    var isShakingHands: Bool { shaking != nil }

    /// Goes on with the handshake, in whichever direction it waits for: the library does so in its reading alone.
    ///
    /// - Returns: `false` where it has failed.
    func shakeHands() -> Bool {
        errno = 0
        let code = mosquitto_loop_read(raw, 1)
        let systemError = errno
        guard code == MOSQ_ERR_SUCCESS.rawValue else { return false }
        // The library goes on waiting for a connection that is broken.
        guard isShakingHands, ![0, EAGAIN, EINTR, EINPROGRESS, ENOTCONN].contains(systemError) else { return true }
        if [ECONNRESET, EPIPE].contains(systemError) {
            inbox.libraryError = "the other side closes when TLS begins; perhaps none is spoken there"
        } else {
            inbox.ended(MosquittoInbox.End(code: MOSQ_ERR_ERRNO.rawValue, systemError: systemError))
        }
        return false
    }

    /// Why TLS failed, where it did.
    var tlsFailure: String? {
        guard let tls else { return nil }
        let failure = tls.report.failure ?? inbox.libraryError
        return failure == "wrong version number" ? "no TLS is spoken there (wrong version number)" : failure
    }

    /// The other side's certificate, once hands are shaken.
    var peerCertificate: CertificateValidity? {
        guard tls != nil, let connection = mosquitto_ssl_get(raw).map({ OpaquePointer($0) }),
            let certificate = SSL_get1_peer_certificate(connection)
        else { return nil }
        defer { X509_free(certificate) }
        return Certificate(raw: certificate).validity
    }
}
