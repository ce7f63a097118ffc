#if PROJ
    internal import CPROJ

    /// What PROJ keeps its database, its settings and its errors in. Not `Sendable`: one thread at a time may use it, and what
    /// was made in it.
    final class PROJContext {
        fileprivate let raw: OpaquePointer
        private let log = PROJLog()

        init() throws(CoordinateSystemError) {
            guard let raw = proj_context_create() else { throw CoordinateSystemError(.noDatabase, "out of memory") }
            self.raw = raw
            // PROJ prints on standard error by itself unless somebody else listens.
            proj_log_func(raw, Unmanaged.passUnretained(log).toOpaque(), note)
            proj_log_level(raw, PJ_LOG_ERROR)
            proj_context_set_enable_network(raw, 0)
            guard proj_context_get_database_path(raw) != nil else {
                defer { proj_context_destroy(raw) }
                throw CoordinateSystemError(.noDatabase, log.take())
            }
        }

        deinit { proj_context_destroy(raw) }

        /// From now on nothing is noted: a position outside of its system is no news.
        func stopLogging() { proj_log_level(raw, PJ_LOG_NONE) }

        /// What PROJ has complained of last.
        func takeComplaint() -> String { log.take() }
    }

    /// The last error that PROJ has told.
    private final class PROJLog {
        private var last = ""

        func note(_ message: String) { last = message }

        func take() -> String {
            defer { last = "" }
            // It names its own function first.
            return last.split(separator: ": ", maxSplits: 1).last.map(String.init) ?? ""
        }
    }

    /// A function, since a closure takes the isolation of where it stands.
    private func note(context: UnsafeMutableRawPointer?, level: Int32, message: UnsafePointer<CChar>?) {
        guard let context, let message else { return }
        Unmanaged<PROJLog>.fromOpaque(context).takeUnretainedValue().note(String(cString: message))
    }

    /// Something that PROJ has made: a system, its axes, a way from one system to another. No pointer leaves this file.
    final class PROJObject {
        private let context: PROJContext
        private let raw: OpaquePointer

        private init?(_ context: PROJContext, _ raw: OpaquePointer?) {
            guard let raw else { return nil }
            (self.context, self.raw) = (context, raw)
        }

        deinit { proj_destroy(raw) }

        /// What a code, a name or a text defines.
        convenience init?(_ definition: String, in context: PROJContext) {
            self.init(context, proj_create(context.raw, definition))
        }

        // MARK: Systems

        var type: PJ_TYPE { proj_get_type(raw) }

        /// The code in its registry.
        var code: String? {
            guard let authority = proj_get_id_auth_name(raw, 0), let code = proj_get_id_code(raw, 0) else { return nil }
            return "\(String(cString: authority)):\(String(cString: code))"
        }

        /// The part of a compound system that says where, not how high.
        var horizontalPart: PROJObject? { PROJObject(context, proj_crs_get_sub_crs(context.raw, raw, 0)) }

        /// Of a system that brings its relation to WGS 84 along, the system.
        var base: PROJObject? { PROJObject(context, proj_get_source_crs(context.raw, raw)) }

        /// The first two axes of a system.
        var axes: [Axis] {
            guard let system = PROJObject(context, proj_crs_get_coordinate_system(context.raw, raw)) else { return [] }
            let isAngular = proj_cs_get_type(context.raw, system.raw) == PJ_CS_TYPE_ELLIPSOIDAL
            return (0..<2).compactMap { index in
                var direction: UnsafePointer<CChar>?
                var factor = 0.0
                guard
                    proj_cs_get_axis_info(
                        context.raw, system.raw, Int32(index), nil, nil, &direction, &factor, nil, nil, nil) != 0,
                    let direction
                else { return nil }
                return Axis(direction: String(cString: direction), isAngular: isAngular, factor: factor)
            }
        }

        struct Axis {
            /// `east`, `north` …
            var direction: String
            var isAngular: Bool
            /// Metres or radians in its unit.
            var factor: Double
        }

        /// The way from one system to another, longitude or east first on both ends; `nil` where none is known that keeps the
        /// datum.
        static func way(from source: PROJObject, to target: PROJObject) -> PROJObject? {
            let context = source.context.raw
            var options: [UnsafePointer<CChar>?] = []
            return "ALLOW_BALLPARK=NO".withCString { option in
                options = [option, nil]
                let way = PROJObject(
                    source.context, proj_create_crs_to_crs_from_pj(context, source.raw, target.raw, nil, options))
                return way.flatMap { PROJObject(source.context, proj_normalize_for_visualization(context, $0.raw)) }
            }
        }

        // MARK: Ways

        enum Direction { case forward, back }

        /// Takes a point along the way; `nil` where PROJ cannot.
        func transform(_ point: (x: Double, y: Double), _ direction: Direction) -> (x: Double, y: Double)? {
            proj_errno_reset(raw)
            let result = proj_trans(
                raw, direction == .forward ? PJ_FWD : PJ_INV, proj_coord(point.x, point.y, 0, .infinity))
            guard proj_errno(raw) == 0, result.xy.x.isFinite, result.xy.y.isFinite else { return nil }
            return (result.xy.x, result.xy.y)
        }

        /// Of several ways to the same system the one that was gone last.
        var lastUsed: PROJObject? { PROJObject(context, proj_trans_get_last_used_operation(raw)) }
    }
#endif
