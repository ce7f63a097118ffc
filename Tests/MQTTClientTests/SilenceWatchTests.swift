import Testing

@testable import MQTTClient

/// What happens to a watch of ten seconds, in seconds after the connection.
enum WatchStep: Sendable {
    case heard(Double)
    case asked(Double, isLost: Bool)
}

@Test(
    "A silent broker is pinged after a keep-alive and given up half a keep-alive after the ping",
    arguments: [
        [
            .asked(9.999, isLost: false), .asked(10, isLost: false), .asked(14.999, isLost: false),
            .asked(15, isLost: true),
        ],
        // Bytes after the ping end the wait.
        [.asked(10, isLost: false), .heard(14), .asked(23, isLost: false), .asked(24, isLost: false)],
        [.asked(10, isLost: false), .heard(14), .asked(24, isLost: false), .asked(29, isLost: true)],
        // A thread that was held up for long asks before it gives up.
        [.asked(3_600, isLost: false), .asked(3_604.999, isLost: false), .asked(3_605, isLost: true)],
    ] as [[WatchStep]])
func silence(steps: [WatchStep]) {
    var watch = SilenceWatch(keepAlive: .seconds(10), now: .zero)
    for step in steps {
        switch step {
        case .heard(let seconds): watch.heard(at: .seconds(seconds))
        case .asked(let seconds, let expected):
            let isLost = watch.isLost(at: .seconds(seconds))
            #expect(isLost == expected, "\(step)")
        }
    }
}

@Test("Keep-alive zero never gives up")
func silenceWithoutKeepAlive() {
    var watch = SilenceWatch(keepAlive: .zero, now: .zero)
    let answers = [1_000_000, 2_000_000].map { watch.isLost(at: .seconds($0)) }
    #expect(answers == [false, false])
    #expect(watch.deadline == nil)
}

@Test("The watch says when to look again while a ping is unanswered, and only then")
func silenceDeadline() {
    var watch = SilenceWatch(keepAlive: .seconds(10), now: .seconds(100))
    #expect(watch.deadline == nil)
    _ = watch.isLost(at: .seconds(110))
    #expect(watch.deadline == .seconds(115))
    watch.heard(at: .seconds(111))
    #expect(watch.deadline == nil)
}
