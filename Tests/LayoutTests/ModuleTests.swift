import Foundation
import Testing

@Suite("Modules")
struct ModuleTests {
    /// Modules that are not the package's.
    private static let system: Set = [
        "Dispatch", "Foundation", "FoundationXML", "Glibc", "Synchronization", "Testing",
    ]

    private let manifest: Manifest

    init() throws { manifest = Manifest(try Project.text("Package.swift")) }

    /// What the files of a module import.
    private func imports(of module: Manifest.Module) throws -> [(file: String, module: String)] {
        try Project.files(below: module.folder, ending: ".swift").flatMap { file in
            try Project.text(file).matches(
                of: #/(?m)^(?: {4}(?=internal|public))?(?:@\w+ )?(?:\w+ )?import (?:\w+ )?(\w+)/#
            ).map {
                (file, String($0.1).replacing("_", with: "-"))
            }
        }
    }

    /// The rows of the table in docs/architecture.md: what each module imports.
    private func table() throws -> [String: [String]] {
        let rows = try Project.text("docs/architecture.md").matches(of: #/(?m)^\| `([^`]+)` \|([^|]*)\| [^|]+ \|$/#)
        return Dictionary(
            rows.map { ($0.1, $0.2.matches(of: #/`([^`]+)`/#).map { String($0.1) }) }.map { (String($0), $1) }
        ) { first, _ in first }
    }

    @Test("The manifest is understood: it names every folder with sources")
    func folders() throws {
        #expect(manifest.modules.count > 30)
        let folders = Set(manifest.modules.map(\.folder))
        for parent in ["Sources", "Simulators", "Tests"] {
            let files = Project.files(below: parent, ending: ".swift")
            #expect(!files.isEmpty)
            for file in files {
                let folder = file.split(separator: "/").prefix(2).joined(separator: "/")
                #expect(folders.contains(folder), "\(file) belongs to no target")
            }
        }
    }

    @Test("The table in docs/architecture.md says what Package.swift declares")
    func tableMatchesManifest() throws {
        let table = try table()
        let modules = manifest.modules.filter { !$0.name.hasSuffix("Tests") }
        #expect(table.keys.sorted() == modules.map(\.name).sorted())
        for module in modules {
            #expect(table[module.name]?.sorted() == module.dependencies.sorted(), "\(module.name)")
        }
    }

    @Test("A module imports what it declares and what that imports, nothing else")
    func declaredImports() throws {
        for module in manifest.modules where !module.isSystemLibrary {
            let allowed = manifest.reachable(from: module.name)
            let imports = try imports(of: module)
            for (file, name) in imports where !Self.system.contains(name) {
                #expect(allowed.contains(name), "\(file) imports \(name), which \(module.name) does not declare")
            }
        }
    }

    @Test("Simulators share no code with the bridge that reads them")
    func simulators() {
        let bridge: Set = [
            "Locations", "Expressions", "DisplayRules", "TelemetryFormats", "FleetEngine", "Configuration",
            "FleetBridge",
        ]
        for module in manifest.modules where module.folder.hasPrefix("Simulators/") {
            #expect(manifest.reachable(from: module.name).isDisjoint(with: bridge), "\(module.name)")
        }
        #expect(!manifest.reachable(from: "fleet-bridge").contains("MotionModels"))
    }

    @Test("The engine and what it is made of reach neither network nor files", arguments: ["FleetEngine"])
    func noInputOrOutput(name: String) throws {
        let inside = manifest.reachable(from: name).union([name])
        #expect(inside.isDisjoint(with: ["MQTTClient", "CMosquitto", "LocalBroker", "CommandLineTool", "CPROJ"]))
        let engine = try #require(manifest[name])
        #expect(try !imports(of: engine).contains { ["Glibc", "Foundation"].contains($0.module) })
    }

    @Test("Each C library ends in one module")
    func wrappers() throws {
        for library in manifest.modules where library.isSystemLibrary {
            let users = manifest.modules.filter {
                !$0.folder.hasPrefix("Benchmarks/") && $0.dependencies.contains(library.name)
            }
            #expect(users.count == 1, "\(library.name): \(users.map(\.name))")
            #expect(try users.allSatisfy { try imports(of: $0).contains { $0.module == library.name } })
        }
    }
}
