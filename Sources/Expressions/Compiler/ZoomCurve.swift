/// Finds the one `step` or `interpolate` whose input is the zoom.
///
/// A client evaluates such a curve at whole zooms and goes on from there, so zoom may stand nowhere else; `let` and
/// `coalesce` may stand around.
enum ZoomCurve {
    case none
    case curve(Node)
    case fault(String)

    init(in node: Node) {
        self = .none
        if let node = node as? Let {
            self = ZoomCurve(in: node.result)
        } else if node is Coalesce {
            for child in node.children {
                self = ZoomCurve(in: child)
                if !isNone { break }
            }
        } else if let step = node as? Step, (step.input as? ClientValue)?.kind == .zoom {
            self = .curve(step)
        } else if let interpolation = node as? Interpolation,
            (interpolation.input as? ClientValue)?.kind == .zoom
        {
            self = .curve(interpolation)
        }
        if case .fault = self { return }
        for child in node.children {
            switch (ZoomCurve(in: child), self) {
            case (.none, _): break
            case (.fault(let message), _): self = .fault(message)
            case (.curve, .none): self = .fault(Self.misplaced)
            case (.curve(let found), .curve(let own)) where found === own: break
            case (.curve, _):
                self = .fault(
                    "Only one zoom-based \"step\" or \"interpolate\" subexpression may be used in an expression."
                )
            }
        }
    }

    static let misplaced =
        "\"zoom\" expression may only be used as input to a top-level \"step\" or \"interpolate\" expression."

    private var isNone: Bool {
        if case .none = self { true } else { false }
    }
}
