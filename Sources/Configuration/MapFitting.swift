internal import Geometry
internal import Locations
internal import SettingsFile
internal import YAML

extension MapDraft {
    /// Fits the map, says how well that went, and leads what is wrong back to its place in the file.
    ///
    /// - Returns: `nil` where something is wrong.
    func map(_ buildings: [BuildingDraft], _ context: Context) -> FloorMap? {
        let context = context.entering(name)
        let index = floor.flatMap {
            buildings.floorIndex($0.value, $0.node, of: building?.value, context.entering("floor"))
        }
        guard let frame = frame(context) else { return nil }
        return FloorMap(frame: frame, building: building?.value, floor: index)
    }

    private func frame(_ context: Context) -> MapFrame? {
        switch (controlPoints, origin) {
        case (let points?, nil):
            if let laidPlace {
                context.error(at: laidPlace, "rotation and scale belong to an origin; control points give both")
            }
            return fit(points.value, points.node, context.entering("controlPoints"))
        case (nil, let origin?):
            if let transformPlace {
                context.error(
                    at: transformPlace, "transform belongs to controlPoints; an origin has rotation and scale")
            }
            return MapFrame(origin: origin.value, rotation: rotation, scale: scale)
        case (_?, let origin?):
            context.error(origin.node, "controlPoints say where the plan lies; expected one of the two")
        case (nil, nil):
            // One that is there and wrong has been reported.
            guard !keys.contains("controlPoints"), !keys.contains("origin") else { break }
            context.error(at: place, "where the plan lies is missing: controlPoints, or an origin")
        }
        return nil
    }

    private func fit(_ points: [(value: ControlPoint, node: YAMLNode)], _ node: YAMLNode, _ context: Context)
        -> MapFrame?
    {
        // With one that could not be read, nothing can be said of the others.
        guard points.count == node.sequence?.count else { return nil }
        do throws(MapFitError) {
            let fit = try MapFit(points.map(\.value), transform)
            context.information(at: place, fit.summary(transform))
            warn(of: fit, points.map(\.node), context)
            return fit.frame
        } catch {
            report(error, points.map(\.node), node, context)
            return nil
        }
    }

    private func warn(of fit: MapFit, _ nodes: [YAMLNode], _ context: Context) {
        if fit.isPoor, let worst = fit.residuals.indices.max(by: { fit.residuals[$0] < fit.residuals[$1] }) {
            context.warning(
                at: nodes[worst].place,
                "the plan misses this point by \(metres(fit.residuals[worst])) (\(metres(fit.rms)) in the mean square of all):"
                    + " is it measured well?")
        }
        if fit.frame.stretch > 1.5 {
            let times = (fit.frame.stretch * 100).rounded() / 100
            context.warning(
                at: place, "the plan is stretched \(times) times as much one way as the other: are the points right?")
        }
    }

    private func report(_ error: MapFitError, _ nodes: [YAMLNode], _ list: YAMLNode, _ context: Context) {
        switch error {
        case .tooFew(let needed):
            context.error(
                list,
                "\(nodes.count) control point\(nodes.count == 1 ? "" : "s"); \(transform.rawValue) needs at least \(needed)"
            )
        case .samePlace(let index, let other, let side):
            let what = side == .plan ? "has the x and y" : "is at the lat and lon"
            context.error(nodes[index], "this point \(what) of the one at \(nodes[other].place)")
        case .tooFarApart(let index, let other, let isSwapped):
            context.error(
                nodes[index],
                "this point is more than \(Int(MapFrame.reach / 1_000)) km from the one at \(nodes[other].place)"
                    + (isSwapped ? "; are lat and lon exchanged?" : ", which is more than a map reaches"))
        case .onOneLine(let side):
            context.error(
                list,
                "the points lie on one line \(side == .plan ? "of the plan" : "on the earth"): what is across it is"
                    + " not known; expected a point beside it, or transform: similarity")
        case .mirrored:
            context.error(
                list,
                "the plan is mirrored, as an image is whose y points down, or x and y are exchanged: no similarity fits;"
                    + " expected y upward, or transform: affine")
        case .allSwapped: context.error(list, "lat and lon of all points are exchanged")
        case .outlier(let index, let residual, let hint):
            let question =
                switch hint {
                case .degrees: "; are its lat and lon exchanged?"
                case .axes: "; are its x and y exchanged?"
                case nil: ""
                }
            context.error(nodes[index], "this point does not fit the others: it is \(metres(residual)) off\(question)")
        case .contradicting(let index, let residual):
            context.error(
                nodes[index],
                "the points contradict each other; this one is farthest off, by \(metres(residual))")
        }
    }
}

extension MapFit {
    fileprivate func summary(_ transform: Transform) -> String {
        let points = residuals.map { metres($0) }.joined(separator: ", ")
        let scale = (frame.scale * 1e5).rounded() / 1e5
        let rotation = (frame.rotation * 100).rounded() / 100
        return "\(transform.rawValue) from \(residuals.count) points, off by \(metres(rms)) RMS (\(points));"
            + " 1 unit is \(scale) m, y points to \(rotation)°" + (frame.isMirrored ? ", mirrored" : "")
            + (transform == .similarity && residuals.count == 2 ? "; a third point would check the two" : "")
    }
}

/// A length to the millimetre.
private func metres(_ length: Double) -> String { "\((length * 1_000).rounded() / 1_000) m" }
