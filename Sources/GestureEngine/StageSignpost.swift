#if canImport(os)
    import os

    /// Shows the stages of a frame as intervals in Instruments, under the names of `SessionStatistics.Stage`.
    enum StageSignpost {
        private static let poster = OSSignposter(subsystem: "GestureEngine", category: .pointsOfInterest)

        @inline(__always)
        static func interval<Result, Failure: Error>(
            _ name: StaticString, _ body: () throws(Failure) -> Result
        ) throws(Failure) -> Result {
            let state = poster.beginInterval(name)
            defer { poster.endInterval(name, state) }
            return try body()
        }
    }
#else
    /// Does nothing, because this system has no signposts. A sampling profiler can tell the stages by functions that
    /// are never inlined: `StreamIntake.accept` and `LandmarkNetwork.advance`.
    enum StageSignpost {
        @inline(__always)
        static func interval<Result, Failure: Error>(
            _ name: StaticString, _ body: () throws(Failure) -> Result
        ) throws(Failure) -> Result {
            try body()
        }
    }
#endif
