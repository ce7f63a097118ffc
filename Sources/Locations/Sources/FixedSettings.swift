/// A source's settings, as they are until others take their place. In a class, since they are large to copy and looked at
/// several times with every report.
@dynamicMemberLookup
final class FixedSettings: Sendable {
    let value: SourceSettings

    init(_ value: SourceSettings) { self.value = value }

    @inline(__always)
    subscript<Member>(dynamicMember path: KeyPath<SourceSettings, Member>) -> Member { value[keyPath: path] }
}
