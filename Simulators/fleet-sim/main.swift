import CommandLineTool

Program(
    name: "fleet-sim", version: Version.current,
    summary: "Simulates fleets of devices that publish where they are over MQTT.",
    commands: [RunCommand.command, GPXInfoCommand.command]
).main()
