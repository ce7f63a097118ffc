import Configuration
import FleetEngine
import Locations
import MQTTModel
import Testing

private let topics = #"topics: ["a/{device}/telemetry"]"#

/// The settings of one source with one setting.
private func settings(_ line: String) throws -> SourceSettings {
    try configuration("sources:\n  a:\n    \(topics)\n    \(line)").engine.sources[0].settings
}

@Suite("Settings")
struct SettingsTests {
    @Test(
        "With no file, and with an empty one, the built-in configuration is in force",
        arguments: [nil, "", "# empty\n", "{}"])
    func builtIn(text: String?) throws {
        let result: BridgeConfiguration
        if let text {
            result = try configuration(text)
        } else {
            result = try #require(ConfigurationReader(surroundings: surroundings()).read(nil).configuration)
        }
        #expect(result.broker.address == BrokerAddress(host: "127.0.0.1", port: 1883))
        #expect(result.broker.keepAlive == .seconds(15))
        #expect(result.broker.sessionExpiry == .zero)
        #expect(result.broker.qos == .atLeastOnce)
        #expect(result.broker.protocolVersion == .mqtt5)
        #expect(result.broker.username == nil)
        #expect(result.broker.password == nil)
        #expect(result.engine.snapshotInterval == .seconds(5))
        #expect(result.engine.stateExpiry == nil)
        #expect(!result.engine.encodesTopicsStrictly)
        #expect(result.engine.prefix == "fleet-bridge")
        #expect(result.engine.republishRate == 1_000)
        #expect(result.engine.maxOutput == 262_144)
        #expect(result.engine.clientIdentifier == result.broker.clientIdentifier)
        #expect(result.engine.sources.count == 1)
        let source = result.engine.sources[0]
        #expect(source.id == "default")
        #expect(source.isTemplate)
        #expect(source.format.name == "native")
        #expect(
            source.topics.map(\.description) == [
                "fleet/{source}/{device}/telemetry", "fleet/{source}/{device}/connection", "fleet/{source}/status",
            ])
    }

    @Test("What a source does not say has its default")
    func defaults() throws {
        let settings = try configuration("sources: {a: {\(topics)}}").engine.sources[0].settings
        #expect(settings.staleAfter == .seconds(30))
        #expect(settings.lostAfter == nil)
        #expect(settings.stuckAfter == nil)
        #expect(settings.removeAfter == .seconds(7 * 86_400))
        #expect(settings.hold == .seconds(2))
        #expect(settings.futureTolerance == .seconds(60))
        #expect(settings.maxLocations == 100_000)
        #expect(settings.minDistance == nil)
        #expect(settings.minInterval == nil)
        #expect(settings.maxRate == 2)
        #expect(settings.heartbeat == .seconds(10))
        #expect(settings.maxPayload == 65_536)
        #expect(settings.chargeScale == 0...100)
        #expect(settings.floors == nil)
        #expect(settings.clock == .device)
        #expect(settings.timeZone == nil)
        #expect(!settings.acceptNullIsland)
    }

    @Test("staleAfter has its default by format, wherever format stands")
    func staleAfterByFormat() throws {
        let sources = try configuration(
            """
            sources:
              a: {topics: [owntracks/+/+], format: owntracks}
              b: {staleAfter: 5s, topics: [b], format: owntracks}
            """
        ).engine.sources
        #expect(sources.map(\.settings.staleAfter) == [.seconds(3_600), .seconds(5)])
        #expect(sources.map(\.format.name) == ["owntracks", "owntracks"])
    }

    @Test("Every setting of a source arrives")
    func values() throws {
        #expect(try settings("staleAfter: off").staleAfter == nil)
        #expect(try settings("lostAfter: 5m").lostAfter == .seconds(300))
        #expect(try settings("stuckAfter: 90s").stuckAfter == .seconds(90))
        #expect(try settings("removeAfter: off").removeAfter == nil)
        #expect(try settings("hold: 500ms").hold == .milliseconds(500))
        #expect(try settings("hold: 0s").hold == .zero)
        #expect(try settings("hold: off").hold == .zero)
        #expect(try settings("futureTolerance: 0s").futureTolerance == .zero)
        #expect(try settings("maxLocations: 7").maxLocations == 7)
        #expect(try settings("minDistance: 0.5").minDistance == 0.5)
        #expect(try settings("minDistance: off").minDistance == nil)
        #expect(try settings("minInterval: 1s").minInterval == .seconds(1))
        #expect(try settings("maxRate: 0.5").maxRate == 0.5)
        #expect(try settings("maxRate: unlimited").maxRate == nil)
        #expect(try settings("heartbeat: off").heartbeat == nil)
        #expect(try settings("maxPayload: 1048576").maxPayload == 1_048_576)
        #expect(try settings("maxPayload: 64 KiB").maxPayload == 65_536)
        #expect(try settings("maxPayload: 1MiB").maxPayload == 1_048_576)
        #expect(try settings("chargeScale: {min: 0, max: 1}").chargeScale == 0...1)
        #expect(try settings("floors: {Ground: 0, \"1\": 10}").floors?.index(of: .text("1")) == 10)
        #expect(try settings("device: tag").device == "tag")
        #expect(try settings("time: arrival").clock == .arrival)
        #expect(try settings("timeZone: Europe/Copenhagen").timeZone == "Europe/Copenhagen")
        #expect(try settings("acceptNullIsland: true").acceptNullIsland)
        #expect(try settings("type: robot-vacuum").type == "robot-vacuum")
        #expect(try settings("building: Stigsborgvej").building == "Stigsborgvej")
    }

    @Test("Every setting of the bridge arrives")
    func bridge() throws {
        let result = try configuration(
            """
            broker:
              url: mqtt://[::1]:1884
              clientId: bridge-7
              protocol: 5
              qos: 0
              keepAlive: 1m
              sessionExpiry: 1h
              username: bridge
            topics: {prefix: site/fleet, encode: strict}
            republishRate: 50
            maxOutput: 128 KiB
            stateExpiry: 1h
            snapshots: {every: off}
            """)
        #expect(result.broker.address == BrokerAddress(host: "::1", port: 1884))
        #expect(result.broker.clientIdentifier == "bridge-7")
        #expect(result.engine.clientIdentifier == "bridge-7")
        #expect(result.broker.qos == .atMostOnce)
        #expect(result.broker.keepAlive == .seconds(60))
        #expect(result.broker.sessionExpiry == .seconds(3_600))
        #expect(result.broker.username == "bridge")
        #expect(result.engine.prefix == "site/fleet")
        #expect(result.engine.republishRate == 50)
        #expect(result.engine.maxOutput == 131_072)
        #expect(result.engine.snapshotInterval == nil)
        #expect(result.engine.stateExpiry == .seconds(3_600))
        #expect(result.engine.encodesTopicsStrictly)
    }

    @Test("What secures the connection arrives, with files that start at the configuration's folder")
    func tls() throws {
        let files = ["/etc/ca.pem": file(""), "bridge.pem": file("", isReadableByOthers: true), "bridge.key": file("")]
        let text = """
            broker:
              url: mqtts://broker.example
              caFile: /etc/ca.pem
              certFile: bridge.pem
              keyFile: bridge.key
              serverName: broker
            """
        let broker = try configuration(text, surroundings(files: files)).broker
        #expect(broker.address == BrokerAddress(host: "broker.example", port: 8883, isSecure: true))
        #expect(broker.tls.caFile == "/etc/ca.pem" && broker.tls.serverName == "broker")
        #expect(broker.tls.certFile == "bridge.pem" && broker.tls.keyFile == "bridge.key")
        #expect(try configuration("broker: {url: mqtts://b}").broker.tls == TLSOptions())
    }

    @Test("An output broker has its own settings, password and client identifier")
    func outputBroker() throws {
        let text = """
            broker: {url: mqtt://site, clientId: hall-1, sessionExpiry: 1h}
            outputBroker: {url: mqtts://centre, protocol: 3.1.1, username: u, passwordFile: secret}
            """
        func read(_ variables: [String: String] = [:]) throws -> BridgeConfiguration {
            try configuration(text, surroundings(variables: variables, files: ["secret": file("pw")]))
        }
        let result = try read()
        let output = try #require(result.outputBroker)
        #expect(output.address == BrokerAddress(host: "centre", port: 8883, isSecure: true))
        #expect(output.clientIdentifier == "hall-1-output" && output.section == "outputBroker")
        #expect(output.password == Secret("pw") && result.broker.password == nil)
        #expect(output.protocolVersion == .mqtt311 && result.broker.protocolVersion == .mqtt5)
        #expect(result.engine.clientIdentifier == "hall-1-output")
        #expect(result.engine.sourceClientIdentifier == "hall-1" && result.engine.keepsSession)
        #expect(try read(["FLEET_BRIDGE_OUTPUT_PASSWORD": "env"]).outputBroker?.password == Secret("env"))
        let without = try configuration("broker: {clientId: a}")
        #expect(without.outputBroker == nil && without.engine.sourceClientIdentifier == nil)
    }

    @Test("A certificate needs its key, a key its certificate, and others must not read it")
    func keys() {
        let files = ["c": file(""), "k": file("", isReadableByOthers: true)]
        expect(
            "broker: {url: mqtts://b, certFile: c}", [("1:36", ["broker.certFile", "keyFile"])],
            surroundings(files: files))
        expect(
            "broker: {url: mqtts://b, keyFile: k}",
            [("1:35", ["error", "broker.keyFile", "certFile"]), ("1:35", ["warning", "readable by other users"])],
            surroundings(files: files))
    }

    @Test(
        "The version of MQTT is read as people write it",
        arguments: [
            ("5", .mqtt5), ("\"5\"", .mqtt5), ("5.0", .mqtt5), ("v5", .mqtt5), ("MQTT 5", .mqtt5), ("mqttv5", .mqtt5),
            ("4", .mqtt311), ("\"4\"", .mqtt311), ("3.1.1", .mqtt311), ("'3.1.1'", .mqtt311), ("311", .mqtt311),
            ("v3.1.1", .mqtt311), ("MQTT 3.1.1", .mqtt311), ("mqttv311", .mqtt311),
        ] as [(String, ProtocolVersion)])
    func protocolVersion(text: String, version: ProtocolVersion) throws {
        #expect(try configuration("broker: {protocol: \(text)}").broker.protocolVersion == version)
    }

    @Test("A section whose lines are all comments is an empty one")
    func emptySections() throws {
        #expect(try configuration("broker:\n  # url: x\ntopics:\nsnapshots:\n").engine.prefix == "fleet-bridge")
    }

    @Test("A configuration is JSON, too")
    func json() throws {
        let text =
            #"{"broker": {"url": "mqtt://h"}, "sources": {"a": {"topics": ["a/{device}/telemetry"], "maxRate": 4.5}}}"#
        let result = try configuration(text)
        #expect(result.broker.address.host == "h")
        #expect(result.engine.sources[0].settings.maxRate == 4.5)
    }

    @Test("Sources keep the order of the file, and ids that differ only in their bytes are two")
    func order() throws {
        let result = try configuration(
            "sources: {b: {topics: [b]}, a: {topics: [a]}, \"\\u00e9\": {topics: [c]}, \"e\\u0301\": {topics: [d]}}")
        #expect(result.engine.sources.map(\.topics[0].description) == ["b", "a", "c", "d"])
    }

    @Test("The default client identifier stays, and differs by machine and file")
    func clientIdentifier() throws {
        func identifier(path: String, machine: String) throws -> String {
            var surroundings = surroundings()
            surroundings.machineIdentifier = machine
            let outcome = ConfigurationReader(surroundings: surroundings).read([], path: path)
            return try #require(outcome.configuration).broker.clientIdentifier
        }
        let first = try identifier(path: "a.yaml", machine: "m")
        #expect(first == (try identifier(path: "/etc/a.yaml", machine: "m")))
        #expect(first != (try identifier(path: "/etc/b.yaml", machine: "m")))
        #expect(first != (try identifier(path: "/etc/a.yaml", machine: "n")))
        #expect(first.wholeMatch(of: /fleet-bridge-[0-9a-f]{8}/) != nil)
    }
}
