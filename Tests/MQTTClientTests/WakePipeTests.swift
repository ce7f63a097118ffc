import Glibc
import MQTTClient
import Testing

@Test("A wake from another thread ends a wait")
func wakeEndsTheWait() throws {
    let pipe = try WakePipe()
    var poll = PollSet()
    let slot = poll.add(pipe.descriptor)
    var thread = pthread_t()
    let context = Unmanaged.passRetained(pipe).toOpaque()
    pthread_create(&thread, nil, wakeFromThread, context)
    let ready = try poll.wait(atMost: .seconds(20))
    pthread_join(thread, nil)
    #expect(ready == 1)
    #expect(poll[slot].readable)
    #expect(pipe.drain() == [])
    #expect(try poll.wait(atMost: .zero) == 0, "drained")
}

private func wakeFromThread(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let context { Unmanaged<WakePipe>.fromOpaque(context).takeRetainedValue().wake() }
    return nil
}

@Test("Any number of wakes fits the pipe, and each drain makes room for the next wake")
func manyWakes() throws {
    let pipe = try WakePipe()
    var poll = PollSet()
    let slot = poll.add(pipe.descriptor)
    for _ in 0..<2 {
        for _ in 0..<70_000 { pipe.wake() }
        try poll.wait(atMost: .zero)
        #expect(poll[slot].readable)
        #expect(pipe.drain() == [])
    }
}

@Test("Numbers of signals come out in order, beside wakes")
func signalNumbers() throws {
    let pipe = try WakePipe()
    pipe.wake()
    for number in [UInt8(SIGHUP), UInt8(SIGTERM)] {
        var byte = number
        #expect(write(pipe.writeDescriptor, &byte, 1) == 1)
    }
    #expect(pipe.drain() == [UInt8(SIGHUP), UInt8(SIGTERM)])
}
