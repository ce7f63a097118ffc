import HTTPServer
import MQTTModel
import Testing

@testable import WebInterface

@Suite("Who may see the fleet")
struct AccessPolicyTests {
    private let token: [UInt8] = Array("s3cret-tøken-æ".utf8)

    private func request(_ raw: String = "/", _ headers: (String, [UInt8])...) throws -> HTTPRequest {
        HTTPRequest(try #require(HTTPTarget(raw.utf8)), headers: headers.map { .init($0.0, $0.1) })
    }

    private func verdict(_ policy: AccessPolicy, _ request: HTTPRequest) -> String {
        switch policy.judge(request) {
        case .allowed: "allowed"
        case .signedIn(let cookie): "cookie \(cookie)"
        case .wrongHost: "host"
        case .noToken: "none"
        case .wrongToken: "wrong"
        }
    }

    @Test(
        "On the loopback without a token only the loopback's names, and those that are configured, are answered",
        arguments: [
            ("localhost", "allowed"), ("LOCALHOST:8080", "allowed"), ("127.0.0.1:8080", "allowed"),
            ("127.3.2.1", "allowed"), ("[::1]:8080", "allowed"), ("fleet.example:80", "allowed"),
            ("evil.example", "host"), ("127.0.0.1.evil.example", "host"), ("127.0.0.999", "host"), ("", "host"),
            ("localhost.evil.example", "host"), ("128.0.0.1", "host"), ("[::2]", "host"),
        ])
    func hosts(host: String, expected: String) throws {
        let policy = AccessPolicy(token: nil, isLoopback: true, hosts: ["Fleet.example"])
        #expect(verdict(policy, try request("/", ("Host", Array(host.utf8)))) == expected)
    }

    @Test("No host, or two, is the wrong one; where others may look anyhow the name does not matter")
    func noHost() throws {
        let policy = AccessPolicy(token: nil, isLoopback: true, hosts: [])
        #expect(verdict(policy, try request()) == "host")
        let localhost = Array("localhost".utf8)
        #expect(verdict(policy, try request("/", ("Host", localhost), ("Host", localhost))) == "host")
        #expect(verdict(AccessPolicy(token: nil, isLoopback: false, hosts: []), try request()) == "allowed")
        #expect(verdict(AccessPolicy(token: nil, isLoopback: false, hosts: ["a"]), try request()) == "host")
    }

    @Test("The token counts byte for byte, as a header, a cookie or once in the address")
    func tokens() throws {
        let policy = AccessPolicy(token: Secret(token), isLoopback: true, hosts: [])
        #expect(verdict(policy, try request()) == "none")
        #expect(verdict(policy, try request("/", ("Authorization", Array("Bearer ".utf8) + token))) == "allowed")
        #expect(verdict(policy, try request("/", ("authorization", Array("bearer  ".utf8) + token))) == "allowed")
        for wrong in [token.dropLast(), token + [0x61], Array("x".utf8) + token.dropFirst(), []] {
            #expect(verdict(policy, try request("/", ("Authorization", Array("Bearer ".utf8) + wrong))) != "allowed")
        }
        #expect(verdict(policy, try request("/", ("Authorization", Array("Basic ".utf8) + token))) == "none")

        let cookie = AccessPolicy.hexadecimal(token)
        #expect(verdict(policy, try request("/?token=s3cret-t%C3%B8ken-%C3%A6")) == "cookie \(cookie)")
        // The decomposed letters are another token.
        #expect(verdict(policy, try request("/?token=s3cret-t%C3%B8ken-a%CC%8A")) == "wrong")
        #expect(
            verdict(policy, try request("/", ("Cookie", Array("a=b; fleet-bridge-token=\(cookie); c=d".utf8))))
                == "allowed")
        for wrong in ["", "zz", "0", String(cookie.dropLast(2))] {
            let header = Array("fleet-bridge-token=\(wrong)".utf8)
            #expect(verdict(policy, try request("/", ("Cookie", header))) != "allowed")
        }
    }

    @Test("The comparison finds every difference, also in length")
    func comparison() {
        #expect(AccessPolicy.isSame([1, 2, 3], [1, 2, 3]))
        #expect(!AccessPolicy.isSame([], [1]))
        #expect(!AccessPolicy.isSame([1, 2], [1, 2, 3]))
        #expect(!AccessPolicy.isSame([1, 2, 3, 1, 2, 3], [1, 2, 3]))
        #expect(!AccessPolicy.isSame([1, 2, 4], [1, 2, 3]))
    }
}
