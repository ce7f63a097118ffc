import Locations
import Testing

struct AgendaTests {
    @Test("Elements come out by time, equal times in the order in which they came in")
    func order() {
        var agenda = Agenda<Int>()
        for (element, seconds) in [(1, 5), (2, 1), (3, 5), (4, 0), (5, 1)] {
            agenda.add(element, at: .seconds(seconds))
        }
        #expect(agenda.popDue(at: .seconds(-1)) == nil)
        var order: [Int] = []
        while let (_, element) = agenda.popDue(at: .seconds(10)) { order.append(element) }
        #expect(order == [4, 2, 5, 1, 3])
    }

    @Test("Compacting keeps the order of what is kept")
    func compact() {
        var agenda = Agenda<Int>()
        for element in 0..<100 { agenda.add(element, at: .seconds(100 - element)) }
        agenda.compact { element, _ in element % 10 == 0 }
        #expect(agenda.count == 10)
        var order: [Int] = []
        while let (_, element) = agenda.popDue(at: .seconds(200)) { order.append(element) }
        #expect(order == [90, 80, 70, 60, 50, 40, 30, 20, 10, 0])
    }
}
