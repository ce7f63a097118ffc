// swift-tools-version: 6.2
import PackageDescription

// A bridge with a location source of one's own. In a package of yours, the dependency is the address of Fleet Bridge's repository.
let package = Package(
    name: "own-source",
    dependencies: [.package(name: "fleet-bridge", path: "../..")],
    targets: [
        .target(name: "WanderingRobots", dependencies: [.product(name: "FleetEngine", package: "fleet-bridge")]),
        .executableTarget(
            name: "wandering-robots",
            dependencies: ["WanderingRobots", .product(name: "FleetEngine", package: "fleet-bridge")]),
        .testTarget(
            name: "WanderingRobotsTests",
            dependencies: ["WanderingRobots", .product(name: "FleetEngine", package: "fleet-bridge")]),
    ]
)
