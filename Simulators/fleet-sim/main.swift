import CommandLineTool

Program(
    name: "fleet-sim", version: "0.1.0",
    summary: "Simulates fleets of devices that publish where they are over MQTT.",
    commands: [RunCommand.command]
).main()
