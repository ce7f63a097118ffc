internal import HTTPServer
internal import JSON

extension HTTPResponse {
    /// What is wrong, for programs and people: `{"error": …}`.
    static func problem(_ status: Int, _ reason: String) -> HTTPResponse {
        .json(status, ["error": .string(reason)])
    }

    static func json(_ status: Int = 200, _ value: JSONValue) -> HTTPResponse { .json(status, Array(value.text.utf8)) }

    static func json(_ status: Int = 200, _ bytes: [UInt8]) -> HTTPResponse {
        HTTPResponse(status, type: "application/json", bytes).adding("Cache-Control", "no-store")
    }

    /// With what every response says: nothing of it is a page of somebody else's making, runs scripts that are not files of
    /// ours, or tells others where it was.
    func secured(imageSources: [String]) -> HTTPResponse {
        let images = (["'self'", "data:", "blob:"] + imageSources).joined(separator: " ")
        let policy = [
            "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src \(images)", "font-src 'self'",
            "connect-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
        ]
        var response = self
        // Some files have a stricter one.
        if !response.headers.contains(where: { $0.name == "Content-Security-Policy" }) {
            response.headers.append(("Content-Security-Policy", policy.joined(separator: "; ")))
        }
        response.headers += [
            ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
            ("Cross-Origin-Resource-Policy", "same-origin"),
        ]
        return response
    }
}
