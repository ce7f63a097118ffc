/// First in, first out.
struct Queue<Element> {
    private var elements: [Element?] = []
    private var head = 0

    init() {}
    init(_ elements: [Element]) { self.elements = elements }

    var isEmpty: Bool { head == elements.count }
    var count: Int { elements.count - head }
    var all: [Element] { elements[head...].compactMap(\.self) }

    mutating func keep(where isWanted: (Element) -> Bool) {
        elements = elements[head...].filter { $0.map(isWanted) ?? false }
        head = 0
    }

    mutating func append(_ element: Element) { elements.append(element) }

    mutating func popFirst() -> Element? {
        guard head < elements.count else { return nil }
        defer {
            elements[head] = nil
            head += 1
            if head == elements.count || head > 1_024 && head * 2 > elements.count {
                elements.removeFirst(head)
                head = 0
            }
        }
        return elements[head]
    }
}
