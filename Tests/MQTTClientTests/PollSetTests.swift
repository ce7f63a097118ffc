import Glibc
import Testing

@testable import MQTTClient

@Test(
    "Time to wait is rounded up to milliseconds and never overflows",
    arguments: [
        (Duration.zero, Int32(0)), (.seconds(-5), 0), (.nanoseconds(1), 1), (.milliseconds(1), 1),
        (.microseconds(1_001), 2),
        (.seconds(3), 3_000), (.seconds(Int64.max / 2), 1_000_000_000),
    ])
func pollMilliseconds(duration: Duration, expected: Int32) {
    #expect(duration.pollMilliseconds == expected)
}

@Test("A wait tells reading from writing, slot by slot")
func readiness() throws {
    var ends: [Int32] = [0, 0]
    #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    defer { for end in ends { close(end) } }
    var poll = PollSet()
    let quiet = poll.add(ends[0])
    let writable = poll.add(ends[1], write: true)
    let none = poll.add(-1)
    #expect(try poll.wait(atMost: .seconds(5)) == 1)
    #expect(poll[quiet] == PollSet.Readiness(readable: false, writable: false))
    #expect(poll[writable] == PollSet.Readiness(readable: false, writable: true))
    #expect(poll[none] == PollSet.Readiness(readable: false, writable: false))

    poll.removeAll()
    let read = poll.add(ends[0])
    #expect(try poll.wait(atMost: .zero) == 0)
    #expect(write(ends[1], "x", 1) == 1)
    #expect(try poll.wait(atMost: nil) == 1)
    #expect(poll[read].readable)
}

@Test("The end of the other side counts as readable, so that reading tells it")
func hangUp() throws {
    var ends: [Int32] = [0, 0]
    #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    defer { close(ends[0]) }
    close(ends[1])
    var poll = PollSet()
    let slot = poll.add(ends[0], read: false)
    #expect(try poll.wait(atMost: .seconds(5)) == 1)
    #expect(poll[slot].readable)
}
