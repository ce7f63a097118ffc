/// What is in force with no file, or without `sources` or `displayRules` in it.
enum BuiltIn {
    static let text = """
        sources: {default: {format: native, topics: ["fleet/{source}/{device}/telemetry", "fleet/{source}/{device}/connection", "fleet/{source}/status"]}}
        displayRules:
          - {name: main, set: {visible: true, icon: marker, label: [get, name], iconRotation: [get, heading],
                               iconColor: [step, [get, charge], red, 30, yellow, 60, green]}}
        """
}
