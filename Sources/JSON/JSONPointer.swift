/// JSON Pointer (RFC 6901).
public enum JSONPointer {
    /// A key as a reference token: `~` and `/` escaped.
    public static func escape(_ key: String) -> String {
        guard key.utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }) else { return key }
        var result = ""
        for scalar in key.unicodeScalars {
            switch scalar {
            case "~": result += "~0"
            case "/": result += "~1"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
