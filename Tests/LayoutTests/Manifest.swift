import Foundation

/// The package's modules and their declared dependencies, as Package.swift writes them.
struct Manifest {
    struct Module {
        var name: String
        var dependencies: [String]
        /// Where its sources are.
        var folder: String
        var isSystemLibrary = false
    }

    var modules: [Module] = []

    init(_ text: String) {
        // What is only linked on a condition is a dependency like any other.
        let text = text.replacing(#/\.target\(name: ("[^"]+"), condition: \.when\([^)]*\)\)/#) { $0.1 }
        let targets = text.components(separatedBy: "targets: [").dropFirst(2).joined()
        // Every target is one call: its text ends before the next one's begins.
        let start = #/\.systemLibrary\(|\.executableTarget\(|\.target\(|library\(|tests\(/#
        let starts = targets.ranges(of: start).map(\.lowerBound)
        for (begin, end) in zip(starts, starts.dropFirst() + [targets.endIndex]) {
            guard let module = Self.module(targets[begin..<end]) else { continue }
            modules.append(module)
        }
    }

    subscript(name: String) -> Module? { modules.first { $0.name == name } }

    /// What a module may import: its dependencies and theirs.
    func reachable(from name: String) -> Set<String> {
        var found: Set<String> = []
        var open = self[name]?.dependencies ?? []
        while let next = open.popLast() {
            if found.insert(next).inserted { open += self[next]?.dependencies ?? [] }
        }
        return found
    }

    private static func module(_ call: Substring) -> Module? {
        guard let name = call.firstMatch(of: #/"([^"]+)"/#)?.1 else { return nil }
        let isSystemLibrary = call.hasPrefix(".systemLibrary")
        let list = isSystemLibrary ? nil : call.firstMatch(of: #/\[([^\]]*)\]/#)?.1
        let dependencies = (list ?? "").matches(of: #/"([^"]+)"/#).map { String($0.1) }
        let path = call.firstMatch(of: #/path: "([^"]+)"/#).map { String($0.1) }
        let folder = path ?? (call.hasPrefix("tests") ? "Tests/\(name)" : "Sources/\(name)")
        return Module(
            name: String(name), dependencies: dependencies, folder: folder, isSystemLibrary: isSystemLibrary)
    }
}
