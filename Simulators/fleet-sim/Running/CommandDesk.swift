import MQTTModel
import Wording

/// Finds the devices that a command is for, and hands it to them.
struct CommandDesk {
    private struct Place {
        var link: Link
        var agent: Int
    }

    /// How many commands were done, and how many refused.
    private(set) var accepted = 0, refused = 0
    private let sources: [String: [String: Place]]
    private var schedules: [(source: String, schedule: CommandSchedule)]

    init(_ links: [Link], schedules: [(source: String, schedule: CommandSchedule)]) {
        var sources: [String: [String: Place]] = [:]
        for link in links {
            for (number, agent) in link.agents.enumerated() {
                let identity = agent.identity
                sources[identity.source, default: [:]][identity.id] = Place(link: link, agent: number)
            }
        }
        self.sources = sources
        self.schedules = schedules
    }

    /// When a schedule has something to do.
    var due: Duration? { schedules.compactMap(\.schedule.due).min() }

    /// Does what came by MQTT.
    ///
    /// - Returns: Why it was refused; nothing was done then. `nil` where it was done.
    mutating func handle(_ message: Message, at now: Duration) -> String? {
        let problem = perform(message, at: now)
        if problem == nil { accepted += 1 } else { refused += 1 }
        return problem.map { "command on \(Escape.text(message.topicName)) refused: \($0)" }
    }

    /// Does what is due in the schedules.
    ///
    /// - Returns: What could not be done.
    mutating func followSchedules(at now: Duration) -> [String] {
        var problems: [String] = []
        for index in schedules.indices {
            let source = schedules[index].source
            for entry in schedules[index].schedule.take(at: now) {
                let devices: [String?] = entry.devices ?? [nil]
                for device in devices {
                    guard let problem = give(entry.command, to: device, of: source, at: now) else { continue }
                    problems.append("scheduled command for \(source): \(problem)")
                }
            }
        }
        return problems
    }

    private func perform(_ message: Message, at now: Duration) -> String? {
        // Only that a stored one is taken away.
        if message.payload.isEmpty { return nil }
        guard let topic = CommandTopic(message.topicName) else { return "no topic of commands" }
        if message.retain { return "it is a stored (retained) message, which would come again after each connect" }
        do throws(DeviceCommand.Fault) {
            return give(try DeviceCommand(message.payload), to: topic.device, of: topic.source, at: now)
        } catch {
            return "\(error)"
        }
    }

    private func give(_ command: DeviceCommand, to device: String?, of source: String, at now: Duration) -> String? {
        guard let devices = sources[source] else { return "there is no source \"\(source)\" here" }
        guard let device else {
            let problems = devices.values.map { give(command, to: $0, at: now) }
            // Where some can do it, those are meant.
            return problems.contains(nil) ? nil : problems.first ?? nil
        }
        guard let place = devices[device] else { return "there is no device \"\(device)\" of \(source) here" }
        return give(command, to: place, at: now)
    }

    private func give(_ command: DeviceCommand, to place: Place, at now: Duration) -> String? {
        let problem = place.link.agents[place.agent].obey(command, at: now)
        if problem == nil { place.link.wake(place.agent, at: now) }
        return problem
    }
}
