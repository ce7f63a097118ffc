/// What is wrong with a file of a venue or of a zone.
public struct VenueFault: Error, Hashable, Sendable {
    /// As the configuration names it.
    public var file: String
    /// `unit "r101"`, or `feature 3` where it has no id; empty for the whole file.
    public var feature: String
    public var message: String
    /// The file can be used all the same.
    public var isWarning = false

    init(_ file: String, _ feature: String, _ message: String, isWarning: Bool = false) {
        (self.file, self.feature, self.message, self.isWarning) = (file, feature, message, isWarning)
    }
}

extension VenueFault: CustomStringConvertible {
    public var description: String { ([file] + (feature.isEmpty ? [] : [feature]) + [message]).joined(separator: ": ") }
}
