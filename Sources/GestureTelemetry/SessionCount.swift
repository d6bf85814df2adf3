#if Telemetry
    import Scheduling
    import Vocabulary

    /// A count of a session with its name, for metrics and log.
    struct SessionCount: Sendable {
        /// The name without its prefix `gesture.`.
        let name: String
        /// What distinguishes it from other counts with this name.
        let dimension: Dimension?
        let value: @Sendable (SessionStatistics) -> Int

        struct Dimension: Sendable {
            let name: String
            let value: String
        }

        private typealias Value = @Sendable (SessionStatistics) -> Int

        /// All counts; those of gestures only for classes with labels.
        static func all(labels: [String]) -> [SessionCount] {
            [
                SessionCount(name: "frames.admitted", dimension: nil) { $0.frames.run },
                SessionCount(name: "frames.encoded", dimension: nil) { $0.scheduling.run },
                SessionCount(name: "frames.surplus", dimension: nil) { $0.frames.surplus },
                SessionCount(name: "columns.repeated", dimension: nil) { $0.frames.repeats },
                SessionCount(name: "resets", dimension: nil) { $0.frames.resets },
                SessionCount(name: "deadline.misses", dimension: nil) { $0.scheduling.deadlineMisses },
                SessionCount(name: "budget.changes", dimension: nil) { $0.scheduling.budgetChanges },
                SessionCount(name: "idle.periods", dimension: nil) { $0.scheduling.idlePeriods },
                SessionCount(name: "unit.switches", dimension: nil) { $0.unitSwitches },
            ]
                + each(
                    "frames.skipped", by: "reason",
                    [
                        "heat": { $0.scheduling.skips.heat },
                        "pace": { $0.scheduling.skips.pace },
                        "battery": { $0.scheduling.skips.battery },
                        "idle": { $0.scheduling.skips.idle },
                    ])
                + each(
                    "frames.dropped", by: "reason",
                    [
                        "equalTimestamp": { $0.frames.equalTimestamps },
                        "backwardTimestamp": { $0.frames.backwardTimestamps },
                        "beyondHorizon": { $0.frames.beyondHorizon },
                        "unconfirmedJump": { $0.frames.unconfirmedJumps },
                        "superseded": { $0.superseded },
                    ])
                + each(
                    "pace.changes", by: "direction",
                    ["down": { $0.scheduling.pacesLowered }, "up": { $0.scheduling.pacesRaised }])
                + labels.enumerated().flatMap { index, label in
                    let dimension = Dimension(name: "label", value: label)
                    return [
                        SessionCount(name: "events.begun", dimension: dimension) { $0.begins.count(ofClass: index) },
                        SessionCount(name: "events.ended", dimension: dimension) { $0.ends.count(ofClass: index) },
                    ]
                }
        }

        private static func each(
            _ name: String, by dimension: String, _ values: KeyValuePairs<String, Value>
        ) -> [SessionCount] {
            values.map { key, value in
                SessionCount(name: name, dimension: Dimension(name: dimension, value: key), value: value)
            }
        }
    }

    extension [Int] {
        /// The count of a class; 0 if the statistics' model does not have it.
        fileprivate func count(ofClass index: Int) -> Int {
            indices.contains(index) ? self[index] : 0
        }
    }

    extension SessionStatistics.Stage {
        /// The stage's name in dimensions and keys.
        var name: String {
            switch self {
            case .intake: "intake"
            case .inference: "inference"
            case .recognition: "recognition"
            case .frame: "frame"
            }
        }
    }
#else
    #error("GestureTelemetry needs the trait Telemetry: traits: [\"Telemetry\"] for .package(...), or Tools/build")
#endif
