import FleetTestSupport
import Foundation
import LocalBroker
import Testing

@Suite("Embedded broker", .enabled(if: Broker.isInstalled))
struct EmbeddedBrokerTests {
    @Test("It accepts connections when it has started, stays on its port, and is gone when stopped")
    func life() throws {
        let broker = try EmbeddedBroker()
        #expect(broker.url == "mqtt://127.0.0.1:\(broker.port)")
        for _ in 0..<3 {
            try TestClient(port: broker.port).publish("a", "x")
            broker.stop()
            #expect(throws: (any Error).self) { try TestClient(port: broker.port) }
            try broker.start()
        }
    }

    @Test("A port in use is an error that says so")
    func portInUse() throws {
        try Broker.withBroker { broker in
            let error = #expect(throws: BrokerError.self) { try EmbeddedBroker(port: broker.port) }
            #expect("\(String(describing: error))".contains("Address already in use"))
        }
    }

    @Test("A setting that mosquitto does not know is an error with mosquitto's words")
    func badSetting() {
        let error = #expect(throws: BrokerError.self) { try EmbeddedBroker(settings: ["no_such_setting 1"]) }
        #expect("\(String(describing: error))".contains("no_such_setting"))
    }

    @Test("Stopping a broker that hangs does not wait for it")
    func stopHanging() throws {
        let broker = try EmbeddedBroker()
        broker.pause()
        let start = monotonicNow()
        broker.stop()
        #expect(monotonicNow() - start < .seconds(4))
        #expect(throws: (any Error).self) { try TestClient(port: broker.port) }
    }
}
