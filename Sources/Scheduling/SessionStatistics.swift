public import Vocabulary

extension SessionStatistics {
    /// A measured part of a frame's processing.
    package enum Stage: Int, Sendable, CaseIterable {
        /// Admission, scheduling, resizing and measuring the frame.
        case intake
        /// The network.
        case inference
        /// From scores to events.
        case recognition
        /// From the arrival of a frame to its result, waits included.
        case frame
    }
}

extension SessionStatistics {
    /// How long a stage took in a session. Percentiles are within 0.8% of the true ones; the maximum is exact.
    public struct Latency: Codable, Sendable, Hashable {
        /// Times the stage ran.
        public let count: Int
        /// Median.
        public let p50: Duration
        /// 95th percentile.
        public let p95: Duration
        /// 99th percentile.
        public let p99: Duration
        /// The longest time.
        public let maximum: Duration

        init?(_ sketch: QuantileSketch) {
            guard let p50 = sketch.percentile(perMille: 500), let p95 = sketch.percentile(perMille: 950),
                let p99 = sketch.percentile(perMille: 990)
            else { return nil }
            count = sketch.count
            self.p50 = .nanoseconds(p50)
            self.p95 = .nanoseconds(p95)
            self.p99 = .nanoseconds(p99)
            maximum = .nanoseconds(sketch.maximum)
        }
    }
}

/// Everything counted and measured since a stream began. Counts are exact, however long the session.
public struct SessionStatistics: Codable, Sendable, Hashable {
    /// What happened to frames at the grid.
    public let frames: FrameCounts
    /// Slots run and skipped by reason, missed deadlines, changes of pace and budget.
    public let scheduling: SessionStatistics.SchedulingCounts
    /// Frames replaced by a newer one before the network processed them.
    public let superseded: Int
    /// Times another compute unit took over, probes and their ends included.
    public let unitSwitches: Int
    /// Gestures begun, by class index.
    public let begins: [Int]
    /// Gestures ended, by class index.
    public let ends: [Int]
    /// How long admission, scheduling, resizing and measuring took, nil if they never ran.
    public let intake: SessionStatistics.Latency?
    /// How long the network took, nil if it never ran.
    public let inference: SessionStatistics.Latency?
    /// How long it took from scores to events, nil if there were none.
    public let recognition: SessionStatistics.Latency?
    /// How long it took from the arrival of a frame to its result, waits included; nil without a result.
    public let frame: SessionStatistics.Latency?

    /// How long a stage took, nil if it never ran.
    package subscript(stage: SessionStatistics.Stage) -> SessionStatistics.Latency? {
        switch stage {
        case .intake: intake
        case .inference: inference
        case .recognition: recognition
        case .frame: frame
        }
    }
}
