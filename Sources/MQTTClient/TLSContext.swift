import COpenSSL
import Glibc
public import MQTTModel

/// Owns one `SSL_CTX`, made for one connection: what is trusted, whom the certificate must be for, and our own
/// certificate. libmosquitto would make one of its own, but then says no more than that verification failed.
final class TLSContext {
    let raw: OpaquePointer
    let report: TLSReport

    /// Reads the files.
    ///
    /// - Parameter host: What is connected to.
    init(_ options: TLSOptions, host: String) throws(TLSFault) {
        guard let raw = SSL_CTX_new(TLS_client_method()) else { throw TLSFault("no TLS context: \(lastError())") }
        self.raw = raw
        let name = options.serverName ?? host
        report = TLSReport(name: name, authorities: options.caFile)
        SSL_CTX_ctrl(raw, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(TLS1_2_VERSION), nil)
        SSL_CTX_ctrl(raw, SSL_CTRL_MODE, Int(SSL_MODE_RELEASE_BUFFERS), nil)
        // MQTT's packets have lengths, so an end without TLS's goodbye cuts nothing off unseen.
        SSL_CTX_set_options(raw, ignoreUnexpectedEnd)
        SSL_CTX_set_ex_data(raw, 0, Unmanaged.passUnretained(report).toOpaque())
        SSL_CTX_set_verify(raw, SSL_VERIFY_PEER, onVerify)
        SSL_CTX_set_info_callback(raw, onInformation)
        try trust(options.caFile)
        try expect(name)
        if let certFile = options.certFile { try present(certFile, keyFile: options.keyFile ?? certFile) }
    }

    deinit { SSL_CTX_free(raw) }

    /// Our own certificate.
    var certificate: Certificate? { SSL_CTX_get0_certificate(raw).map(Certificate.init) }

    private func trust(_ caFile: String?) throws(TLSFault) {
        guard let caFile else {
            guard SSL_CTX_set_default_verify_paths(raw) == 1 else {
                throw TLSFault("the system's certificate authorities cannot be read: \(lastError())")
            }
            return
        }
        try requireFile(caFile, "caFile")
        guard SSL_CTX_load_verify_file(raw, caFile) == 1 else {
            throw TLSFault("caFile \(caFile) holds no certificate in PEM: \(lastError())")
        }
    }

    /// Sets whom the other side's certificate must be for.
    private func expect(_ name: String) throws(TLSFault) {
        let parameters = SSL_CTX_get0_param(raw)
        // A zone (`fe80::1%eth0`) is this machine's own, and stands in no certificate.
        let address = name.split(separator: "%", maxSplits: 1).first.map(String.init) ?? name
        if X509_VERIFY_PARAM_set1_ip_asc(parameters, address) == 1 { return }
        ERR_clear_error()
        X509_VERIFY_PARAM_set_hostflags(parameters, UInt32(X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS))
        guard X509_VERIFY_PARAM_set1_host(parameters, name, name.utf8.count) == 1 else {
            throw TLSFault("no certificate can be for \(name)")
        }
    }

    private func present(_ certFile: String, keyFile: String) throws(TLSFault) {
        try requireFile(certFile, "certFile")
        guard SSL_CTX_use_certificate_chain_file(raw, certFile) == 1 else {
            throw TLSFault("certFile \(certFile) holds no certificate in PEM: \(lastError())")
        }
        try requireFile(keyFile, "keyFile")
        let file = BIO_new_file(keyFile, "r")
        defer { BIO_free(file) }
        var isEncrypted = false
        guard let key = PEM_read_bio_PrivateKey(file, nil, onPassphrase, &isEncrypted) else {
            let reason = lastError()
            throw TLSFault(
                isEncrypted
                    ? "keyFile \(keyFile) is encrypted, and nobody is there to say the passphrase; store it without one"
                    : "keyFile \(keyFile) holds no private key in PEM: \(reason)")
        }
        defer { EVP_PKEY_free(key) }
        guard SSL_CTX_use_PrivateKey(raw, key) == 1, SSL_CTX_check_private_key(raw) == 1 else {
            ERR_clear_error()
            throw TLSFault("keyFile \(keyFile) does not belong to the certificate in certFile \(certFile)")
        }
    }
}

extension TLSOptions {
    /// Reads the files as a connect would.
    ///
    /// - Throws: What is wrong with one of them.
    public func check(host: String) throws(MQTTError) {
        do throws(TLSFault) {
            _ = try TLSContext(self, host: host)
        } catch {
            throw MQTTError(.tls, operation: "connect to \(host)", detail: error.message)
        }
    }
}

/// Why a connection cannot be secured, for people.
struct TLSFault: Error {
    var message: String
    init(_ message: String) { self.message = message }
}

/// `SSL_OP_IGNORE_UNEXPECTED_EOF`, which is made by a macro.
private let ignoreUnexpectedEnd: UInt64 = 1 << 7

/// OpenSSL's errors do not tell a file that is not there from one that may not be read.
private func requireFile(_ path: String, _ setting: String) throws(TLSFault) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw TLSFault("\(setting) \(path): \(String(cString: strerror(errno)))") }
    defer { close(descriptor) }
    var status = stat()
    if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
        throw TLSFault("\(setting) \(path) is a folder")
    }
}

/// OpenSSL's newest reason, with nothing left for the next to ask.
private func lastError() -> String {
    defer { ERR_clear_error() }
    return ERR_reason_error_string(ERR_peek_last_error()).map { String(cString: $0) } ?? "unknown reason"
}

/// Without it OpenSSL would ask on the terminal.
private func onPassphrase(
    _: UnsafeMutablePointer<CChar>?, _: Int32, _: Int32, context: UnsafeMutableRawPointer?
) -> Int32 {
    context?.storeBytes(of: true, as: Bool.self)
    return -1
}
