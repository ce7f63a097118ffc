import CommandLineTool
import Glibc
import MQTTClient
import MQTTModel
import Wording

/// Where the broker is, and how a device gets in.
struct BrokerAccess: Sendable {
    var address = BrokerAddress(host: "127.0.0.1")
    /// `{source}` and `{device}` stand for each device's own.
    var username: String?
    var password: Secret?
    /// Authorities that are trusted; `nil`: the system's.
    var caFile: String?

    /// - Parameters:
    ///   - passwordFile: One line. `nil`: the environment's `FLEET_SIM_PASSWORD`, if that is set. A command line shows its
    ///     words to every user of the machine, so none takes a password.
    init(address: BrokerAddress, username: String?, passwordFile: String?, caFile: String?) throws {
        self.address = address
        self.username = username
        self.caFile = caFile
        if caFile != nil, !address.isSecure { throw UsageError("--ca-file is for TLS: --broker mqtts://HOST") }
        if let passwordFile {
            password = try Self.password(in: passwordFile)
        } else if let variable = getenv("FLEET_SIM_PASSWORD"), variable.pointee != 0 {
            password = Secret(Array(UnsafeRawBufferPointer(start: variable, count: strlen(variable))))
        }
        if password != nil, username == nil { throw UsageError("a password needs a user: --username NAME") }
    }

    /// Whether each device is a user of its own, which may read what is for it and nothing else.
    var isOfEachDevice: Bool { username?.contains("{device}") ?? false }

    /// How a device connects.
    func options(for device: DeviceIdentity, format: String) -> ConnectOptions {
        options("fleet-sim-\(format)-\(device.source)-\(device.id)", source: device.source, device: device.id)
    }

    /// How a connection that no single device has connects; its name stands for a device's.
    func options(shared name: String, format: String, source: String) -> ConnectOptions {
        var options = options("fleet-sim-\(format)-\(source)-\(name)", source: source, device: name)
        options.inFlightLimit = 1_000
        options.sendQueueLimit = 10_000
        return options
    }

    /// How the connection for commands connects.
    ///
    /// - Parameter number: Tells simulators apart that run at once.
    func controlOptions(source: String, number: UInt64) -> ConnectOptions {
        options("fleet-sim-control-\(String(number, radix: 16))", source: source, device: "control")
    }

    private func options(_ clientIdentifier: String, source: String, device: String) -> ConnectOptions {
        var options = ConnectOptions(host: address.host, port: address.port, clientIdentifier: clientIdentifier)
        options.username = username?.replacing("{source}", with: source).replacing("{device}", with: device)
        options.password = password
        if address.isSecure {
            options.tls = TLSOptions()
            options.tls?.caFile = caFile
        }
        return options
    }

    private static func password(in path: String) throws -> Secret {
        guard let file = fopen(path, "re") else {
            throw UsageError("--password-file \(Escape.text(path)): \(String(cString: strerror(errno)))")
        }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 70_000)
        let count = fread(&bytes, 1, bytes.count, file)
        guard let password = Secret(passwordFile: Array(bytes.prefix(count))) else {
            throw UsageError("--password-file \(Escape.text(path)): expected one line of 1 to 65535 bytes without NUL")
        }
        return password
    }
}
