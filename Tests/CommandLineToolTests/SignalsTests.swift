import CommandLineTool
import Glibc
import Testing

@Test("A signal arrives as its number on the pipe, and a closed pipe does not end the program")
func signalsArriveOnThePipe() {
    var ends: [Int32] = [-1, -1]
    #expect(pipe(&ends) == 0)
    Signals.deliver([SIGUSR1, SIGUSR2], to: ends[1])
    kill(getpid(), SIGUSR2)
    kill(getpid(), SIGUSR1)
    var received: [UInt8] = []
    while received.count < 2 {
        var byte: UInt8 = 0
        guard read(ends[0], &byte, 1) == 1 else { break }
        received.append(byte)
    }
    #expect(Set(received) == [UInt8(SIGUSR1), UInt8(SIGUSR2)])

    close(ends[0])
    var byte: UInt8 = 0
    let written = write(ends[1], &byte, 1)
    #expect(written == -1 && errno == EPIPE)
    signal(SIGUSR1, SIG_IGN)
    signal(SIGUSR2, SIG_IGN)
    close(ends[1])
}
