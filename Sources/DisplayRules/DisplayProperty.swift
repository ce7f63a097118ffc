public import Locations
internal import JSON
// STUB
public struct Display { public init() {}; func write(to w: inout JSONWriter) { w.beginObject(); w.endObject() } }
public struct RuleError { public var rule = ""; public var property = ""; public var message = "" }
public struct Cascade: Sendable { public func resolve(_ l: Location, errors: inout [RuleError]) -> Display { Display() } }
public struct DisplayRuleSet: Sendable { public init() {}; public func cascade(for l: Location) -> Cascade { Cascade() } }
extension DisplayRuleSet { public static let none = DisplayRuleSet() }
