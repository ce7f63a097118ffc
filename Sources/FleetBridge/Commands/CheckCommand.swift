internal import CommandLineTool
internal import Configuration
internal import MQTTClient
internal import Wording

/// `fleet-bridge check`
enum CheckCommand {
    static func command(_ own: OwnSources) -> Command {
        Command(
            "check", summary: "Check a configuration file", operands: Operands(placeholder: "FILE", count: 1...1)
        ) { arguments in
            let path = arguments.operands[0]
            let outcome = ConfigurationReader(own: own.described).read(path)
            BridgeProgram.report(outcome)
            for line in outcome.information { try Output.standardOutput.print("\(line)\n") }
            guard let configuration = outcome.configuration else { return .configuration }
            let brokers = [configuration.broker, configuration.outputBroker].compactMap(\.self)
            return brokers.count { !areUsable($0, path) } == 0 ? .success : .configuration
        }
    }

    /// Whether certificates and key are what they should be; that their files are there is known by now.
    private static func areUsable(_ broker: BrokerSettings, _ path: String) -> Bool {
        guard broker.address.isSecure else { return true }
        do throws(MQTTError) {
            try broker.tls.check(host: broker.address.host)
            return true
        } catch {
            Output.standardError.write("\(Escape.text(path)): error: \(broker.section): \(Escape.text(error.detail))\n")
            return false
        }
    }
}
