internal import JSON

/// A part of the site that a location can be in: a room of a venue, or a configured zone. Two with one kind, building and id
/// are the same, whatever they are called.
///
/// A class, since every location in it has it.
public final class Area: Sendable {
    /// Raw values are published, so they never change.
    public enum Kind: String, Sendable { case room, zone }

    public let kind: Kind
    public let id: Identifier
    /// To show; where it has none, its id.
    public let name: String
    /// `nil`: of no building.
    public let building: String?

    public init(_ kind: Kind, id: Identifier, name: String? = nil, building: String? = nil) {
        (self.kind, self.id, self.building) = (kind, id, building)
        self.name = name ?? id.text
    }

    /// Whether it is also called the same.
    public func isSame(as other: Area) -> Bool { self === other || self == other && name.hasSameBytes(as: other.name) }
}

extension Area: Hashable {
    public static func == (a: Area, b: Area) -> Bool {
        a === b
            || a.kind == b.kind && a.id == b.id && a.building.hasSameBytes(as: b.building)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        hasher.combine(id)
    }
}

/// An area was entered or left.
public struct AreaChange: Sendable, Equatable {
    public let area: Area
    public let isEntry: Bool

    public init(_ area: Area, isEntry: Bool) { (self.area, self.isEntry) = (area, isEntry) }
}
