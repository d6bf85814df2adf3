import BodyPose
import BodyWeights
import Foundation
import TestSupport
import Testing
import TrackerInference

/// Files of other networks give a named error; they neither run nor trap.
@Suite struct BodyModelErrorTests {
    private static let hands = Fixtures.repository.appendingPathComponent("Weights/hands")

    private static func error(detection: String? = nil, landmarks: String? = nil) -> EngineError? {
        do {
            _ = try BodyModels(detection: detection, landmarks: landmarks)
            return nil
        } catch {
            return error
        }
    }

    @Test func soundFilesLoad() throws {
        #expect(Self.error() == nil)
        #expect(try Self.error(detection: BodyWeights.detection, landmarks: BodyWeights.landmarks) == nil)
    }

    @Test func graphsOfOtherNetworks() throws {
        let palms = Self.hands.appendingPathComponent("palm-detection-lite.safetensors").path
        let hand = Self.hands.appendingPathComponent("hand-landmark-lite.safetensors").path
        for (error, expected) in [
            (Self.error(detection: palms), [1, 224, 224, 3]), (Self.error(detection: hand), [1, 2_254, 12]),
            (try Self.error(detection: BodyWeights.landmarks), [1, 224, 224, 3]),
            (Self.error(landmarks: palms), [1, 256, 256, 3]), (Self.error(landmarks: hand), [1, 256, 256, 3]),
            (try Self.error(landmarks: BodyWeights.detection), [1, 256, 256, 3]),
        ] {
            guard case .otherGraph(let shapes, let found) = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect(shapes.first == expected && found != shapes)
        }
    }

    @Test func absentFiles() {
        #expect(Self.error(detection: "/nowhere/model") == .model(.unreadable(path: "/nowhere/model", code: 2)))
        #expect(Self.error(landmarks: "/nowhere/model") == .model(.unreadable(path: "/nowhere/model", code: 2)))
    }

    @Test func filesThatAreNotWhole() throws {
        let whole = [UInt8](try Data(contentsOf: URL(fileURLWithPath: try BodyWeights.detection)))
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("body-" + UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        for count in [0, 1, 7, 8, 9, 1_000, whole.count / 2, whole.count - 1] {
            try Data(whole.prefix(count)).write(to: file)
            for error in [Self.error(detection: file.path), Self.error(landmarks: file.path)] {
                // Of two files the one that was refused is named.
                guard case .file(file.path, let reason) = error else {
                    Issue.record("\(count) bytes: \(String(describing: error))")
                    continue
                }
                if count == whole.count / 2 {
                    guard case .truncated(let expected, count) = reason else {
                        Issue.record("half a file: \(reason)")
                        continue
                    }
                    #expect(count < expected && expected <= whole.count)
                }
            }
        }
    }

    /// A file of weights that is no graph.
    @Test func weightsWithoutAGraph() {
        guard case .file(_, .notAGraph) = Self.error(detection: Fixtures.golden("golden-int8.safetensors")) else {
            Issue.record("accepted or refused for another reason")
            return
        }
    }

    @Test func everyErrorIsASentence() {
        let errors: [EngineError] = [
            .model(.unreadable(path: "a", code: 2)), .file(path: "a", .otherFormat(.empty)),
            .resourcesMissing(searched: ["/a/b", "/c/b"]), .otherGraph(expected: [[1]], found: [[2]]),
            .graph("a layer"),
            .configuration(ConfigurationError("a", 5, allowed: 1...4)), .thread(code: 11),
        ]
        for error in errors { #expect("\(error)".hasSuffix(".") && "\(error)".count > 20, "\(error)") }
        #expect(Set(errors.map { "\($0)" }).count == errors.count)
    }
}
