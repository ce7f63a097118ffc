// swift-tools-version: 6.2
import PackageDescription

/// One list for every target, so that no module is built by laxer rules than the others.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .treatAllWarnings(as: .error),
]

func library(_ name: String, _ dependencies: [Target.Dependency] = [], path: String? = nil) -> Target {
    // Rounding calls into libm, which only Foundation's users would link by themselves.
    .target(
        name: name, dependencies: dependencies, path: path, swiftSettings: settings,
        linkerSettings: [.linkedLibrary("m")])
}

/// - Parameter exclude: Folders of data, which the tests read in place.
func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .testTarget(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: settings)
}

let package = Package(
    name: "fleet-bridge",
    products: [
        .library(
            name: "FleetEngine",
            targets: ["FleetEngine", "Locations", "Geometry", "Timestamps", "JSON", "FleetBridge", "CommandLineTool"]),
        .executable(name: "fleet-bridge", targets: ["fleet-bridge"]),
        .executable(name: "fleet-sim", targets: ["fleet-sim"]),
    ],
    traits: [
        .trait(name: "PROJ", description: "Positions in other coordinate systems (projectTo), by PROJ."),
        .default(enabledTraits: ["PROJ"]),
    ],
    targets: [
        .systemLibrary(name: "CMosquitto", pkgConfig: "libmosquitto", providers: [.apt(["libmosquitto-dev"])]),
        .systemLibrary(name: "CJSONC", pkgConfig: "json-c", providers: [.apt(["libjson-c-dev"])]),
        .systemLibrary(name: "CICU", pkgConfig: "icu-i18n", providers: [.apt(["libicu-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
        .systemLibrary(name: "CLibXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
        .systemLibrary(name: "CMicroHTTPD", pkgConfig: "libmicrohttpd", providers: [.apt(["libmicrohttpd-dev"])]),
        .systemLibrary(name: "CPROJ", pkgConfig: "proj", providers: [.apt(["libproj-dev"])]),

        library("Geometry"),
        library("Projections", ["Geometry", .target(name: "CPROJ", condition: .when(traits: ["PROJ"]))]),
        library("Timestamps"),
        library("Randomness"),
        library("Wording"),
        library("JSON", ["CJSONC"]),
        library("MQTTModel"),
        library("Compression", ["CZlib"]),
        library("YAML", ["CYAML", "JSON"]),
        library("GPX", ["Geometry", "Timestamps", "CLibXML2"]),
        library("SettingsFile", ["YAML", "Timestamps", "Wording"]),
        library("Locations", ["Geometry", "Timestamps", "Wording", "JSON"]),
        library("Venues", ["Locations"]),
        library("GPXLogging", ["Locations", "GPX", "MQTTModel", "Randomness"]),
        library("Expressions", ["JSON", "CICU"]),
        library("DisplayRules", ["Locations", "Expressions"]),
        library("TelemetryFormats", ["Locations", "MQTTModel", "Compression"]),
        library("RoomAvailability", ["Venues"]),
        library("FleetEngine", ["DisplayRules", "TelemetryFormats", "Venues", "RoomAvailability", "Randomness"]),
        library("MQTTClient", ["MQTTModel", "CMosquitto", "COpenSSL"]),
        library("CommandLineTool", ["MQTTModel", "Timestamps", "Wording"]),
        library("LocalBroker"),
        library("Configuration", ["FleetEngine", "SettingsFile", "Projections"]),
        library("HTTPServer", ["CMicroHTTPD"]),
        library("WebInterface", ["FleetEngine", "HTTPServer"]),
        library(
            "FleetBridge",
            ["Configuration", "GPXLogging", "WebInterface", "MQTTClient", "CommandLineTool", "LocalBroker"]),
        .executableTarget(name: "fleet-bridge", dependencies: ["FleetBridge"], swiftSettings: settings),

        library("MotionModels", ["Geometry", "Randomness", "GPX"], path: "Simulators/MotionModels"),
        .executableTarget(
            name: "fleet-sim",
            dependencies: [
                "Geometry", "MotionModels", "Randomness", "MQTTModel", "MQTTClient", "JSON", "Timestamps", "Wording",
                "CommandLineTool", "Compression", "GPX", "SettingsFile",
            ],
            path: "Simulators/fleet-sim", swiftSettings: settings),

        .executableTarget(
            name: "fleet-bench", dependencies: ["FleetEngine", "Projections", "JSON", "CJSONC"],
            path: "Benchmarks/fleet-bench",
            swiftSettings: settings),

        library(
            "FleetTestSupport", ["MQTTClient", "MQTTModel", "LocalBroker", "JSON", "Timestamps"],
            path: "Tests/FleetTestSupport"),
        tests("FleetTestSupportTests", ["FleetTestSupport", "JSON"]),
        tests("GeometryTests", ["Geometry"]),
        tests("ProjectionsTests", ["Projections", "Geometry", "JSON"], exclude: ["Fixtures"]),
        tests("MotionModelsTests", ["MotionModels", "Randomness", "GPX", "Timestamps"]),
        tests("GPXTests", ["GPX", "Geometry", "Timestamps"], exclude: ["Cases"]),
        tests("GPXLoggingTests", ["GPXLogging", "GPX", "Locations", "Geometry", "Timestamps"]),
        tests("RandomnessTests", ["Randomness"]),
        tests(
            "FleetSimTests",
            [
                "fleet-sim", "Geometry", "MotionModels", "Randomness", "JSON", "Timestamps", "CommandLineTool",
                "MQTTModel", "LocalBroker", "FleetTestSupport", "FleetEngine", "TelemetryFormats", "Compression",
                "GPX", "SettingsFile",
            ], exclude: ["Schemas"]),
        tests("JSONTests", ["JSON"]),
        tests("ExpressionsTests", ["Expressions"], exclude: ["Fixtures"]),
        tests("CompressionTests", ["Compression"]),
        tests("TimestampsTests", ["Timestamps"]),
        tests("WordingTests", ["Wording"]),
        tests("MQTTModelTests", ["MQTTModel"]),
        tests("YAMLTests", ["YAML", "JSON"]),
        tests(
            "ConfigurationTests",
            [
                "Configuration", "DisplayRules", "FleetEngine", "RoomAvailability", "Locations", "Venues", "MQTTModel",
                "Projections",
                "JSON", "Timestamps",
                "YAML", "FleetTestSupport",
            ]),
        tests("LocationsTests", ["Locations"]),
        tests("VenuesTests", ["Venues", "Locations", "Geometry", "JSON", "Randomness"], exclude: ["Fixtures"]),
        tests("RoomAvailabilityTests", ["RoomAvailability", "Locations", "Geometry", "JSON", "Timestamps"]),
        tests("DisplayRulesTests", ["DisplayRules", "Randomness"]),
        tests("FleetEngineTests", ["FleetEngine", "RoomAvailability", "Randomness", "FleetTestSupport"]),
        tests("CommandLineToolTests", ["CommandLineTool", "MQTTModel"]),
        tests("MQTTClientTests", ["MQTTClient", "MQTTModel"]),
        tests("FleetBridgeTests", ["FleetBridge", "MQTTClient", "FleetEngine", "JSON", "Timestamps"]),
        tests("HTTPServerTests", ["HTTPServer", "FleetTestSupport"]),
        tests(
            "WebInterfaceTests", ["WebInterface", "FleetEngine", "HTTPServer", "JSON", "Venues", "FleetTestSupport"]),
        tests(
            "BridgeTests",
            [
                "fleet-bridge", "JSON", "MQTTModel", "MQTTClient", "LocalBroker", "Timestamps", "Randomness",
                "Projections",
                "FleetTestSupport",
            ]),
        tests(
            "TelemetryFormatsTests",
            [
                "FleetEngine", "TelemetryFormats", "Locations", "Geometry", "MQTTModel", "JSON", "Timestamps",
                "FleetTestSupport",
            ], exclude: ["Fixtures"]),
        tests("LayoutTests", []),
        tests("BrokerTests", ["MQTTClient", "MQTTModel", "LocalBroker", "FleetTestSupport"]),
    ],
    swiftLanguageModes: [.v6]
)
