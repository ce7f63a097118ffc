internal import Glibc

/// Issues certificates for a test, in a folder that is gone when the test lets go of it. Needs `openssl`.
public final class CertificateAuthority {
    /// Two files that belong together.
    public struct Issued: Sendable {
        public var certFile: String, keyFile: String
    }

    /// Others may read it: a broker may run as another user.
    public let folder: String

    public static let isInstalled = (try? run(["openssl", "version"])) != nil

    public init(_ name: String = "Test CA") throws {
        folder = try makeTemporaryDirectory()
        chmod(folder, 0o755)
        try Self.run(
            ["openssl", "req", "-x509"] + newKey(caFile + ".key") + [
                "-out", caFile, "-days", "30", "-subj", "/CN=\(name)",
            ])
    }

    deinit { removeDirectory(folder) }

    public var caFile: String { folder + "/ca.pem" }

    /// - Parameters:
    ///   - name: Of the files; those of an earlier certificate of this name are replaced.
    ///   - subject: What the certificate says its owner is called.
    ///   - hosts: Whom it is for.
    ///   - days: How long it is good; negative for one that has expired.
    @discardableResult
    public func issue(
        _ name: String, subject: String = "localhost", hosts: String = "DNS:localhost,IP:127.0.0.1", days: Int = 30
    ) throws -> Issued {
        let issued = Issued(certFile: "\(folder)/\(name).pem", keyFile: "\(folder)/\(name).key")
        let (request, extensions) = ("\(folder)/\(name).csr", "\(folder)/\(name).ext")
        try write(Array("subjectAltName=\(hosts)\n".utf8), to: extensions)
        try Self.run(
            ["openssl", "req"] + newKey(issued.keyFile) + ["-out", request, "-subj", "/CN=\(subject)"])
        try Self.run([
            "openssl", "x509", "-req", "-in", request, "-CA", caFile, "-CAkey", caFile + ".key", "-CAcreateserial",
            "-days", "\(days)", "-extfile", extensions, "-out", issued.certFile,
        ])
        chmod(issued.keyFile, 0o644)
        return issued
    }

    private func newKey(_ path: String) -> [String] {
        ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", path]
    }

    /// Runs a program of the system to its end.
    public static func run(_ arguments: [String]) throws {
        struct Failure: Error { var command: String, status: Int32 }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for descriptor: Int32 in 0...2 {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
        }
        var pointers = arguments.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        var (identifier, status): (pid_t, Int32) = (0, -1)
        guard posix_spawnp(&identifier, arguments[0], &actions, nil, &pointers, environ) == 0,
            waitpid(identifier, &status, 0) == identifier, status == 0
        else { throw Failure(command: arguments.joined(separator: " "), status: status) }
    }
}
