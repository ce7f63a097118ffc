import FleetEngine
import JSON
import Locations
import Testing

/// Sources that are listed and changed by request.
struct SourceRequestTests {
    private func broker() -> ScriptedBroker {
        let any = SourceConfiguration.robots(id: "any", topics: ["any/{source}/{device}/telemetry"])
        let broker = ScriptedBroker([.robots(), any])
        broker.report(#"{"lat":57,"lon":9}"#)
        broker.send("any/tags/t1/telemetry", #"{"lat":57,"lon":9}"#)
        broker.wait(.seconds(2))
        broker.reconfigures = { edit, configuration in
            var configuration = configuration
            switch edit {
            case .reload: break
            case .putSource(let id, let settings):
                guard let type = settings.object?["type"]?.string else {
                    return .failure(
                        ScriptedBroker.ConfigurationFault(errors: ["request: error: a", "request: error: b"]))
                }
                configuration.sources.removeAll { $0.id == Identifier(id) }
                configuration.sources.append(.robots(id: id) { $0.type = type })
            case .removeSource(let id): configuration.sources.removeAll { $0.id == Identifier(id) }
            }
            return .success(configuration)
        }
        return broker
    }

    private func code(_ answer: JSONObject?) -> String? { answer?["error"]?.object?["code"]?.string }

    @Test("Sources are listed by id, with format, topics and status, in pages")
    func list() {
        let broker = broker()
        let all = broker.ask("sources/list", ["transaction": 1])
        #expect(all?["transaction"] == 1)
        let sources = all?["data"]?.object?["sources"]?.array ?? []
        #expect(sources.map { $0.object?["source"] } == ["robots", "tags"])
        #expect(sources.map { $0.object?["template"] } == [nil, "any"])
        #expect(sources[0].object?["format"] == "native")
        #expect(sources[0].object?["topics"]?.array?.first == "fleet/robots/{device}/telemetry")
        #expect(sources[0].object?["status"]?.object == broker.sourceStatus)
        let first = broker.ask("sources/list", ["limit": 1])?["data"]?.object
        #expect(first?["sources"]?.array?.count == 1 && first?["next"] == "robots")
        let second = broker.ask("sources/list", ["limit": 1, "after": "robots"])?["data"]?.object
        #expect(second?["sources"]?.array?.first?.object?["source"] == "tags" && second?["next"] == nil)
    }

    @Test("A stopped source is inactive, gives its filters back, and hears again what is stored when it is started")
    func stop() {
        let broker = broker()
        let answer = broker.ask("sources/stop", ["source": "robots"])
        #expect(answer?["data"]?.object?["status"]?.object?["reason"] == "stopped")
        #expect(broker.sourceStatus?["status"] == "inactive" && broker.sourceStatus?["reason"] == "stopped")
        #expect(broker.unsubscribed.suffix(3).first == "fleet/robots/+/telemetry")
        broker.report(#"{"lat":58,"lon":9}"#)
        #expect(broker.state()?.number("position", "lat") == 57)
        #expect(broker.stats().object("reasons")?["source-stopped"] == 1)
        broker.loseConnection()
        broker.wait(.seconds(3))
        #expect(broker.sourceStatus?["reason"] == "stopped")
        #expect(broker.subscriptions.allSatisfy { !$0.topicFilter.hasPrefix("fleet/robots/") })
        broker.retained["fleet/robots/r1/telemetry"] = Array(#"{"lat":59,"lon":9}"#.utf8)
        let started = broker.ask("sources/start", ["source": "robots"])
        #expect(started?["ok"] == true)
        broker.report(#"{"lat":60,"lon":9}"#)
        #expect(broker.sourceStatus?["status"] == "available")
        #expect(broker.state()?.number("position", "lat") == 60)
        // Once more is no fault.
        #expect(broker.ask("sources/start", ["source": "robots"])?["ok"] == true)
    }

    @Test("One of a template's sources is stopped alone")
    func stopOne() {
        let broker = broker()
        let subscriptions = broker.unsubscribed.count
        #expect(broker.ask("sources/stop", ["source": "tags"])?["ok"] == true)
        #expect(broker.unsubscribed.count == subscriptions)
        broker.send("any/tags/t1/telemetry", #"{"lat":58,"lon":9}"#)
        broker.send("any/others/o1/telemetry", #"{"lat":58,"lon":9}"#)
        #expect(broker.state("t1", source: "tags")?.number("position", "lat") == 57)
        #expect(broker.state("o1", source: "others") != nil)
        #expect(broker.ask("sources/start", ["source": "tags"])?["ok"] == true)
        broker.send("any/tags/t1/telemetry", #"{"lat":58,"lon":9}"#)
        #expect(broker.state("t1", source: "tags")?.number("position", "lat") == 58)
    }

    @Test("A cleared source has no location until one speaks")
    func clear() {
        let broker = broker()
        #expect(broker.ask("sources/clear", ["source": "robots"])?["ok"] == true)
        #expect(broker.state() == nil)
        broker.wait(.seconds(2))
        #expect(broker.sourceStatus?["reason"] == "no-live-location")
        broker.report(#"{"lat":58,"lon":9}"#)
        #expect(broker.state()?["status"] == "live")
    }

    @Test("Sources are added, replaced and removed")
    func change() {
        let broker = broker()
        let added = broker.ask("sources/add", ["transaction": "t", "source": "agvs", "settings": ["type": "agv"]])
        #expect(added?["transaction"] == "t" && added?["data"]?.object?["added"] == ["agvs"])
        broker.send("fleet/agvs/a1/telemetry", #"{"lat":57,"lon":9}"#)
        #expect(broker.state("a1", source: "agvs")?["type"] == "agv")
        #expect(code(broker.ask("sources/add", ["source": "agvs", "settings": ["type": "x"]])) == "source-exists")
        let replaced = broker.ask("sources/replace", ["source": "agvs", "settings": ["type": "truck"]])
        #expect(replaced?["data"]?.object?["changed"] == ["agvs"])
        broker.wait(.seconds(1))
        #expect(broker.state("a1", source: "agvs")?["type"] == "truck")
        let removed = broker.ask("sources/remove", ["source": "agvs"])
        #expect(removed?["data"]?.object?["removed"] == ["agvs"])
        broker.wait(.seconds(1))
        #expect(broker.retained.keys.allSatisfy { !$0.contains("agvs") })
    }

    @Test("Templates are named among what was added, changed and removed, before the sources that they make")
    func templates() {
        let broker = broker()
        func template(_ type: String) -> SourceConfiguration {
            .robots(id: "any", topics: ["any/{source}/{device}/telemetry"]) { $0.type = type }
        }
        broker.reconfigures = { edit, configuration in
            var configuration = configuration
            configuration.sources.removeAll { $0.id == "any" }
            if case .putSource(_, let settings) = edit {
                configuration.sources.append(template(settings.object?["type"]?.string ?? ""))
            }
            return .success(configuration)
        }
        func ask(_ name: String, _ type: String? = nil) -> JSONObject? {
            var content: JSONObject = ["source": "any"]
            if let type { content["settings"] = ["type": .string(type)] }
            return broker.ask("sources/\(name)", .object(content))?["data"]?.object
        }
        #expect(ask("remove")?["removed"] == ["any", "tags"])
        #expect(ask("add", "a")?["added"] == ["any"])
        broker.send("any/tags/t1/telemetry", #"{"lat":57,"lon":9}"#)
        #expect(ask("replace", "b")?["changed"] == ["any", "tags"])
        let same = ask("replace", "b")
        #expect(same?["changed"] == [] && same?["added"] == [] && same?["removed"] == [])
        #expect(broker.log.last { $0.message == "the configuration is taken over" }?.fields.isEmpty == true)
    }

    @Test("A configuration that would be wrong is refused with all its faults")
    func refused() {
        let broker = broker()
        let answer = broker.ask("sources/add", ["source": "agvs", "settings": [:]])
        #expect(code(answer) == "invalid-configuration")
        #expect(answer?["error"]?.object?["errors"] == ["request: error: a", "request: error: b"])
        #expect(broker.engine.sourceStatuses.count == 2)
    }

    @Test(
        "What cannot be done is answered with a code",
        arguments: [
            ("sources/stop", [:], "invalid-request"), ("sources/stop", ["source": "x"], "unknown-source"),
            ("sources/clear", ["source": "x"], "unknown-source"), ("sources/start", ["source": 1], "invalid-request"),
            ("sources/remove", ["source": "x"], "unknown-source"),
            ("sources/remove", ["source": "tags"], "not-configured"),
            ("sources/replace", ["source": "tags", "settings": [:]], "not-configured"),
            ("sources/replace", ["source": "robots"], "invalid-request"),
            ("sources/add", ["source": "agvs", "settings": 3], "invalid-request"),
            ("sources/list", ["limit": 0], "invalid-request"), ("sources/list", ["after": 1], "invalid-request"),
        ] as [(String, JSONValue, String)])
    func faults(name: String, payload: JSONValue, expected: String) {
        let broker = broker()
        #expect(code(broker.ask(name, payload)) == expected)
        #expect(broker.edits.isEmpty)
    }

    @Test("config/reload answers with what changed")
    func reload() {
        let broker = broker()
        broker.reconfigures = { _, configuration in
            var configuration = configuration
            configuration.sources.append(.robots(id: "agvs"))
            return .success(configuration)
        }
        let data = broker.ask("config/reload")?["data"]?.object
        #expect(
            data?.members.map(\.key) == ["added", "changed", "removed", "displayRules", "needsRestart"])
        #expect(data?["added"] == ["agvs"] && data?["displayRules"] == "unchanged")
        #expect(broker.edits == [.reload])
    }
}
