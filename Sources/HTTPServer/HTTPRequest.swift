/// A request without a body, whole. Others never get here.
public struct HTTPRequest: Sendable {
    public var target: HTTPTarget
    /// In the order of the request; values byte for byte.
    public var headers: [Header]

    public struct Header: Sendable {
        public var name: String
        public var value: [UInt8]

        public init(_ name: String, _ value: [UInt8]) { (self.name, self.value) = (name, value) }
    }

    public init(_ target: HTTPTarget, headers: [Header] = []) { (self.target, self.headers) = (target, headers) }

    /// The values of a header; names differ in more than case.
    public func values(of name: String) -> [[UInt8]] {
        headers.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    }

    /// A header's value as text; `nil` where it is not there, stands there twice, or is no UTF-8.
    public func text(of name: String) -> String? {
        let values = values(of: name)
        return values.count == 1 ? String(validating: values[0], as: UTF8.self) : nil
    }
}
