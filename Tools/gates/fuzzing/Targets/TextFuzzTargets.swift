import Evaluation
import Foundation
import ModelFile
import WeightImport

/// Small files of text.
enum TextFuzzTargets {
    private static let classes: ClassNames? = try? ClassNames(["swipe", "tap", "null"], nullIndex: 2)
    /// The most frames of a scenario that is simulated.
    private static let frameLimit = 2000.0

    static func names(_ bytes: [UInt8]) -> Bool {
        let names = try? TensorNames(json: bytes)
        let head = try? HeadReplacement(json: bytes, nullLabel: "null", allowsDropped: true)
        if let head {
            precondition(head.labels.contains(head.nullLabel), "no label for null")
            precondition(Set(head.labels).count == head.labels.count, "a label twice")
        }
        let text = try? JSONText.stringArray(in: bytes)
        if let text {
            let again = try? JSONText.stringArray(in: Array(JSONText.array(text).utf8))
            precondition(again == text, "texts change when they are written and read")
        }
        return names != nil || head != nil || text != nil
    }

    static func labels(_ bytes: [UInt8]) -> Bool {
        _ = try? ClipLabels.names(json: Data(bytes))
        guard let classes, let labels = try? ClipLabels(json: Data(bytes), classes: classes) else { return false }
        precondition(
            labels.runs.allSatisfy { !$0.frames.isEmpty && (0...labels.frames).contains($0.frames.upperBound) },
            "a run outside the clip")
        precondition(
            zip(labels.runs, labels.runs.dropFirst()).allSatisfy { $0.frames.upperBound <= $1.frames.lowerBound },
            "runs overlap")
        precondition(
            labels.events.allSatisfy { $0.onset >= 0 && $0.onset < $0.end && $0.end.isFinite },
            "an event that is no time")
        return true
    }

    static func truth(_ bytes: [UInt8]) -> Bool {
        guard let classes, let text = String(validating: bytes, as: UTF8.self) else { return false }
        let truth = try? ClipTruth(csv: text, classes: classes)
        if let truth {
            for run in truth.runs { precondition(run.frames.lowerBound >= 0 && run.line > 1, "a run before the clip") }
            _ = try? truth.check(frames: 100)
            _ = TruthMatching(truth, [ReportedBegin(classIndex: 1, frame: 7, confidence: 1)])
        }
        let repetitions = try? RepetitionTruth(csv: text)
        if let repetitions {
            precondition(repetitions.repetitions.allSatisfy { $0.peak >= 0 }, "a peak before the clip")
            _ = try? repetitions.check(frames: 100)
        }
        return truth != nil || repetitions != nil
    }

    static func scenario(_ bytes: [UInt8]) -> Bool {
        guard let scenario = try? Scenario(json: Data(bytes)) else { return false }
        let fastest = scenario.phases.reduce(scenario.camera.framesPerSecond) { rate, phase in
            if case .camera(let framesPerSecond) = phase.condition { max(rate, framesPerSecond) } else { rate }
        }
        guard scenario.seconds * fastest <= frameLimit else { return true }
        guard let simulation = try? Simulation(scenario) else { return true }
        _ = simulation.run()
        return true
    }
}
