import Foundation
import Frames
import GestureEngine
import ModelFile
import TestSupport
import Vocabulary

/// Hand networks whose answers follow from the mean colour of what they see, as graph files: a palm in the middle of a picture
/// that is redder than blue, and a hand whose points move with the colours.
enum HandScript {
    static func models(
        poses: (embedder: String, classifier: String)? = nil,
        gestures: GestureEngine.Source = .file(path: weights("hand-gestures"))
    ) throws -> HandModels {
        try withFolder { folder in
            try HandModels(
                palmDetection: write(palms(), to: folder, "palms"),
                handLandmarks: write(landmarks(), to: folder, "hand"), poses: poses,
                gestures: gestures)
        }
    }

    /// A file of the project's own.
    static func weights(_ name: String) -> String {
        Fixtures.repository.appendingPathComponent("Weights/hands/\(name).safetensors").path
    }

    static func withFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("hands-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try body(folder)
    }

    static func write(_ file: GraphFile, to folder: URL, _ name: String) throws -> String {
        let url = folder.appendingPathComponent(name)
        try Data(try file.bytes()).write(to: url)
        return url.path
    }

    /// Heads over the mean colour of a picture: weights `[count][3]`, biases, and what follows.
    private struct Head {
        var weights: [Float]
        var bias: [Float]
        var shape: [Int]?
        var isLogistic = false
    }

    private static func file(side: Int, _ heads: [Head]) -> GraphFile {
        var values: [NetworkGraph.Value] = [
            .init(name: "picture", shape: [1, side, side, 3]), .init(name: "mean", shape: [1, 3]),
        ]
        var nodes: [NetworkGraph.Node] = [.init(.mean, inputs: [0], output: 1)]
        var parameters: [String: GraphFile.Parameter] = [:]
        var outputs: [Int] = []
        for (index, head) in heads.enumerated() {
            let count = head.bias.count
            let (weights, bias) = ("w\(index)", "b\(index)")
            parameters[weights] = .init(shape: [count, 3], values: .float(head.weights))
            parameters[bias] = .init(shape: [count], values: .float(head.bias))
            values.append(.init(name: "sums\(index)", shape: [1, count]))
            nodes.append(
                .init(
                    .fullyConnected(weights: weights, bias: bias, activation: .none), inputs: [1],
                    output: values.count - 1))
            if head.isLogistic || head.shape != nil {
                values.append(.init(name: "head\(index)", shape: head.shape ?? [1, count]))
                nodes.append(
                    .init(head.isLogistic ? .logistic : .reshape, inputs: [values.count - 2], output: values.count - 1))
            }
            outputs.append(values.count - 1)
        }
        return GraphFile(
            graph: NetworkGraph(values: values, nodes: nodes, inputs: [0], outputs: outputs), parameters: parameters)
    }

    static func palms(coordinates: Int = 18) -> GraphFile {
        // An anchor near the middle.
        let anchor = 1_700
        var boxes = Head(
            weights: [], bias: [Float](repeating: 0, count: 2_016 * coordinates), shape: [1, 2_016, coordinates])
        boxes.weights = [Float](repeating: 0, count: 3 * boxes.bias.count)
        (boxes.bias[coordinates * anchor + 2], boxes.bias[coordinates * anchor + 3]) = (40, 40)
        boxes.bias[coordinates * anchor + 5] = 25
        var scores = Head(
            weights: [Float](repeating: 0, count: 3 * 2_016), bias: [Float](repeating: -10, count: 2_016),
            shape: [1, 2_016, 1])
        scores.bias[anchor] = -1
        (scores.weights[3 * anchor], scores.weights[3 * anchor + 2]) = (30, -30)
        return file(side: 192, [boxes, scores])
    }

    static func landmarks() -> GraphFile {
        var random = SplitMix64(seed: 12)
        func weights(_ count: Int, _ bound: Float) -> [Float] {
            (0..<3 * count).map { _ in Float.random(in: -bound...bound, using: &random) }
        }
        // A hand that fills half of the picture, upright: wrist below, a column of four points a finger.
        var points: [Float] = [112, 165, 0]
        for finger in 0..<5 {
            for joint in 0..<4 {
                points += [Float(80 + 16 * finger), Float(115 - 16 * joint), Float(4 * finger - joint)]
            }
        }
        return file(
            side: 224,
            [
                Head(weights: weights(63, 25), bias: points),
                Head(weights: [0, 0, 0], bias: [3], isLogistic: true),
                Head(weights: [4, -4, 0], bias: [0.5], isLogistic: true),
                Head(weights: weights(63, 0.1), bias: [Float](repeating: 0, count: 63)),
            ])
    }
}

extension ColorPicture {
    /// One that the scripted palm detector takes for a hand, whatever the format but gray.
    static func red(_ format: PixelView.Format, _ width: Int, _ height: Int, padding: Int = 0, seed: UInt64) -> Self {
        let color: SIMD3<UInt8> =
            switch format {
            case .rgba, .bgra: SIMD3(UInt8(180 + seed * 7 % 50), UInt8(40 + seed * 13 % 120), 30)
            default: SIMD3(UInt8(90 + seed * 7 % 60), 80, UInt8(180 + seed * 11 % 40))
            }
        return Self(format, width, height, padding: padding, color: color, seed: seed)
    }
}
