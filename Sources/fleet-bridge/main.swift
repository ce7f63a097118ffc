import CommandLineTool
import FleetBridge

BridgeProgram.program.main()
