import MQTTModel
import Randomness

/// Makes connections of plans.
struct FleetAssembly {
    var broker: BrokerAccess
    var seed: UInt64
    /// Whether somebody wants to know what a right consumer must end with.
    var hasOracle = false

    func links(_ plans: [FleetPlan]) -> [Link] {
        plans.enumerated().flatMap { index, plan in
            // Of one fleet the seed is the seed, whatever stands beside it in a file.
            links(plan, seed: index == 0 ? seed : SeededRandom.seed(seed, fleet: index))
        }
    }

    private func links(_ plan: FleetPlan, seed: UInt64) -> [Link] {
        let agents = agents(plan, seed: seed)
        let count = plan.connections.count(devices: agents.count)
        // Apart from the devices' own numbers, which must not depend on the network.
        func random(_ number: Int) -> SeededRandom { SeededRandom(seed: ~seed, stream: number) }
        guard plan.connections != .own else {
            return agents.enumerated().map { number, agent in
                Link([agent], hearsCommands: broker.isOfEachDevice, random: random(number)) { [broker] in
                    broker.options(for: agent.identity, format: plan.format.name)
                }
            }
        }
        return (0..<count).map { number in
            let members = stride(from: number, to: agents.count, by: count).map { agents[$0] }
            return Link(
                members, isShared: true,
                announcement: number == 0 ? .status(of: plan.source, format: plan.format.name) : nil,
                random: random(number)
            ) { [broker] in
                broker.options(shared: "shared\(number)", format: plan.format.name, source: plan.source)
            }
        }
    }

    private func agents(_ plan: FleetPlan, seed: UInt64) -> [DeviceAgent] {
        let fields = PayloadFields.of(plan.format.name)
        let fleet = Fleet(
            source: plan.source, count: plan.count, motion: plan.motion, seed: seed, kind: plan.kind,
            building: plan.building)
        let map = LocalPlan(name: plan.map, origin: fleet.origin)
        return fleet.devices.enumerated().map { number, device in
            DeviceAgent(
                device, format: plan.format.make(device.identity, map), interval: plan.interval,
                phase: plan.interval * number / fleet.devices.count,
                faults: FaultInjector(plan.faults, fields: fields, seed: seed, device: number),
                oracle: hasOracle ? NativeOracle() : nil)
        }
    }
}

extension SeededRandom {
    fileprivate static func seed(_ seed: UInt64, fleet: Int) -> UInt64 {
        var random = SeededRandom(seed: seed, stream: -fleet)
        return random.next()
    }
}
