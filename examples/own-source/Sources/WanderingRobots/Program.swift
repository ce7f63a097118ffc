import CommandLineTool
import FleetBridge

/// All of fleet-bridge, and beside the sources of its configuration two that no message feeds.
public let wanderingRobots = BridgeProgram.program(name: "wandering-robots") { now in
    [RobotSource(count: 16, seed: 1, at: now), HallSource(at: now)]
}
