/// What is to be done when: a queue by time.
public typealias Agenda<Element> = PriorityQueue<Duration, Element>

extension PriorityQueue where Priority == Duration {
    @inlinable
    public var nextTime: Duration? { firstPriority }

    /// Takes out the first element whose time has come.
    @inlinable
    public mutating func popDue(at now: Duration) -> (time: Duration, element: Element)? {
        guard let time = firstPriority, time <= now, let (_, element) = popFirst() else { return nil }
        return (time, element)
    }
}
