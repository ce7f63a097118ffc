internal import FleetEngine
internal import Locations

/// What `/metrics` tells.
enum BridgeMetrics {
    /// - Parameter readers: Of `/events`, at the moment.
    static func text(_ figures: EngineFigures, _ readiness: Readiness, _ process: ProcessFigures, readers: Int)
        -> String
    {
        var text = MetricsText()
        func labelled(_ label: String, _ counts: EngineFigures.Counts) -> [(labels: [(String, String)], value: Double)]
        {
            counts.map { ([(label, $0.key)], Double($0.value)) }
        }
        // Not `instance`, which Prometheus puts beside each figure itself.
        let name = figures.instance.map { [("name", $0)] } ?? []
        text.add(
            "fleet_bridge_info", .gauge, "1 for the version, and the name where the bridge has one.",
            [([("version", figures.version)] + name, 1)])
        text.add(
            "fleet_bridge_messages_received_total", .counter, "Messages on the topics of sources.",
            Double(figures.received))
        text.add(
            "fleet_bridge_messages_total", .counter, "The same by what they came to.",
            labelled("result", figures.messages))
        text.add(
            "fleet_bridge_message_reasons_total", .counter, "Why messages were not applied.",
            labelled("reason", figures.reasons))
        text.add(
            "fleet_bridge_field_faults_total", .counter, "Values that could not be used.",
            labelled("fault", figures.fieldFaults))
        text.add(
            "fleet_bridge_rule_errors_total", .counter, "Expressions of display rules that failed.",
            labelled("rule", figures.ruleErrors))
        text.add(
            "fleet_bridge_reports_received_total", .counter, "Reports of one device each.",
            Double(figures.reportsReceived))
        text.add(
            "fleet_bridge_reports_total", .counter,
            "The same by what they came to, and what became of the applied ones.",
            labelled("result", figures.reports))
        text.add(
            "fleet_bridge_reports_pending", .gauge, "Applied reports that wait to be published.",
            Double(figures.pendingReports))
        text.add(
            "fleet_bridge_published_by_time_total", .counter, "States published without a report.",
            Double(figures.publishedByTime))
        text.add(
            "fleet_bridge_queue_topics", .gauge, "Topics with something to be sent.", Double(figures.queue))
        text.add(
            "fleet_bridge_queue_topics_max", .gauge, "The most topics with something to be sent so far.",
            Double(figures.queueMaximum))
        text.add(
            "fleet_bridge_publishes_dropped_total", .counter, "Publishes given up.", Double(figures.dropped))
        text.add(
            "fleet_bridge_locations", .gauge, "Locations by source and status.",
            figures.sources.flatMap { source in
                LocationStatus.allCases.map { status in
                    (
                        [("source", source.id.text), ("status", status.rawValue)],
                        Double(source.counts[status])
                    )
                }
            })
        text.add(
            "fleet_bridge_source_status", .gauge, "1 for the status that a source has.",
            figures.sources.map { ([("source", $0.id.text), ("status", $0.status.kind.rawValue)], 1) })
        text.add(
            "fleet_bridge_connected", .gauge, "1 while the broker that is published to has the bridge.",
            readiness.isConnected ? 1 : 0)
        text.add(
            "fleet_bridge_reading", .gauge, "1 while the broker that is read from has the bridge.",
            readiness.isReading ? 1 : 0)
        text.add(
            "fleet_bridge_connects_total", .counter, "Connections that the broker accepted.", Double(figures.connects))
        if let roundTrip = readiness.roundTrip {
            text.add(
                "fleet_bridge_round_trip_seconds", .gauge, "How long the last message to itself took.",
                roundTrip / .seconds(1))
        }
        text.add("fleet_bridge_event_readers", .gauge, "Readers of /events.", Double(readers))
        process.add(to: &text)
        return text.text
    }
}
