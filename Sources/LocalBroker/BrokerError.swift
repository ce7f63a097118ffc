import Glibc

/// Why the embedded broker does not run.
public enum BrokerError: Error, Hashable, Sendable {
    case notInstalled
    /// It ended at once; with what it wrote.
    case ended(log: String)
    /// It runs but accepts no connection.
    case silent(log: String)
    /// A system call failed; the number is `errno`.
    case system(String, Int32)
}

extension BrokerError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notInstalled: "mosquitto is not installed (install mosquitto: apt-get install mosquitto)"
        case .ended(let log): "mosquitto ended at once: \(log)"
        case .silent(let log): "mosquitto accepts no connection: \(log)"
        case .system(let operation, let code): "\(operation): \(String(cString: strerror(code)))"
        }
    }
}
