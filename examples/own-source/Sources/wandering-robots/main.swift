import FleetBridge
import WanderingRobots

// All of fleet-bridge, and beside the sources of its configuration one that no message feeds.
BridgeProgram.program(name: "wandering-robots") { now in [RobotSource(count: 16, seed: 1, at: now)] }.main()
