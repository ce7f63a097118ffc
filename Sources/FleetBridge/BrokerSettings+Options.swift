internal import Configuration
internal import MQTTClient
internal import MQTTModel

/// Why no attempt to connect can be made, for people.
struct ConnectFault: Error, CustomStringConvertible {
    var description: String
}

extension BrokerSettings {
    /// What a connect needs to know. The password's file is read anew, as the certificates' are when the connection is
    /// made: both may have been renewed.
    func connectOptions() throws(ConnectFault) -> ConnectOptions {
        var options = ConnectOptions(host: address.host, port: address.port, clientIdentifier: clientIdentifier)
        options.version = protocolVersion
        options.keepAlive = keepAlive
        options.sessionExpiry = sessionExpiry
        options.cleanStart = sessionExpiry == .zero
        options.username = username
        options.password = try currentPassword()
        options.tls = address.isSecure ? tls : nil
        return options
    }

    private func currentPassword() throws(ConnectFault) -> Secret? {
        guard let passwordFile else { return password }
        switch PasswordFile.read(passwordFile) {
        case .success(let password): return password
        case .failure(let error):
            throw ConnectFault(description: "passwordFile \(passwordFile) cannot be used: \(error.message)")
        }
    }
}
