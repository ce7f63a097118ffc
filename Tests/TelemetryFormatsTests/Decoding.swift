import JSON
import Locations
import MQTTModel
import TelemetryFormats
import Timestamps

/// A decoder with the topics that its format has by default.
struct Decoding {
    private var format: any TelemetryFormat
    private let templates: [TopicTemplate]

    init(_ description: FormatDescription, _ adjust: (inout SourceSettings) -> Void = { _ in }) {
        var settings = SourceSettings()
        settings.device = "the-source"
        adjust(&settings)
        format = description.make(settings)
        templates = description.topics.compactMap { try? TopicTemplate($0) }
    }

    mutating func decode(_ topicName: String, _ payload: String) throws(Rejection) -> Decoded {
        let topic = TopicLevels(topicName)
        let matched = templates.lazy.compactMap { template in template.match(topic).map { (template, $0) } }.first
        return try format.decode(
            IncomingMessage(
                topic: topic, names: matched?.1 ?? TopicNames(), filterEnd: matched?.0.lastLiteral,
                payload: Array(payload.utf8),
                arrival: Instant(wall: Timestamp(milliseconds: 1_795_953_600_000), monotonic: .zero)))
    }

    /// The one report of a message.
    mutating func report(_ topicName: String, _ payload: String) throws -> Report {
        switch try decode(topicName, payload) {
        case .report(let report): return report
        case .reports(let reports) where reports.count == 1: return try reports[0].get()
        default: throw Rejection(.emptyReport, "not one report")
        }
    }

    /// Why a message is rejected; `nil` where it is not.
    mutating func rejection(_ topicName: String, _ payload: String) -> String? {
        do {
            _ = try report(topicName, payload)
            return nil
        } catch let error as Rejection {
            return error.reason.rawValue + (error.pointer.isEmpty ? "" : " " + error.pointer)
        } catch {
            return "\(error)"
        }
    }
}
