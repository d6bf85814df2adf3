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

/// A picture in memory of its own: planes with padded rows, colours by chance about a mean.
struct ColorPicture {
    let format: PixelView.Format
    let width: Int
    let height: Int
    let matrix: PixelView.ColorMatrix
    /// Luma or the only plane; then chroma.
    private(set) var planes: [[UInt8]] = []
    private var rows: [Int] = []

    static let formats: [PixelView.Format] = [
        .gray8, .rgba, .bgra, .yuyv(.video), .nv12(.video), .nv12(.full), .nv21(.video), .i420(.full),
    ]

    /// - color: of red, green and blue, or of luma, Cb and Cr.
    init(
        _ format: PixelView.Format, _ width: Int, _ height: Int, padding: Int = 0,
        matrix: PixelView.ColorMatrix = .bt601,
        color: SIMD3<UInt8>, seed: UInt64, hasChroma: Bool = true
    ) {
        (self.format, self.width, self.height, self.matrix) = (format, width, height, matrix)
        var random = SplitMix64(seed: seed)
        func plane(_ columns: Int, _ lines: Int, _ codes: [UInt8]) {
            let row = columns + padding
            rows.append(row)
            // The last row lacks its padding.
            planes.append(
                (0..<(lines - 1) * row + columns).map { codes[$0 % row % codes.count] &+ UInt8(random.next() % 24) })
        }
        let half = ((width + 1) / 2, (height + 1) / 2)
        switch format {
        case .gray8: plane(width, height, [color.x])
        case .rgba: plane(4 * width, height, [color.x, color.y, color.z, 0])
        case .bgra: plane(4 * width, height, [color.z, color.y, color.x, 0])
        case .yuyv: plane(2 * width, height, [color.x, color.y, color.x, color.z])
        case .nv12:
            plane(width, height, [color.x])
            if hasChroma { plane(2 * half.0, half.1, [color.y, color.z]) }
        case .nv21:
            plane(width, height, [color.x])
            if hasChroma { plane(2 * half.0, half.1, [color.z, color.y]) }
        case .i420:
            plane(width, height, [color.x])
            if hasChroma {
                plane(half.0, half.1, [color.y])
                plane(half.0, half.1, [color.z])
            }
        }
    }

    /// One that the scripted palm detector takes for a hand, whatever the format but gray.
    static func red(_ format: PixelView.Format, _ width: Int, _ height: Int, padding: Int = 0, seed: UInt64) -> Self {
        let color: SIMD3<UInt8> =
            switch format {
            case .rgba, .bgra: SIMD3(UInt8(180 + seed * 7 % 50), UInt8(40 + seed * 13 % 120), 30)
            default: SIMD3(UInt8(90 + seed * 7 % 60), 80, UInt8(180 + seed * 11 % 40))
            }
        return Self(format, width, height, padding: padding, color: color, seed: seed)
    }

    func withView<Result>(region: PixelView.Region? = nil, _ body: (borrowing PixelView) throws -> Result) throws
        -> Result
    {
        let buffers = unsafe planes.map { bytes in
            let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 16)
            unsafe copy.copyBytes(from: bytes)
            return unsafe copy
        }
        defer { unsafe buffers.forEach { unsafe $0.deallocate() } }
        // All buffers live until this returns.
        let luma = unsafe RawSpan(_unsafeBytes: UnsafeRawBufferPointer(buffers[0]))
        guard planes.count > 1 else { return try body(view(luma, nil, region)) }
        let blue = unsafe RawSpan(_unsafeBytes: UnsafeRawBufferPointer(buffers[1]))
        guard planes.count > 2 else {
            return try body(view(luma, PixelView.ChromaPlanes(interleaved: blue, bytesPerRow: rows[1]), region))
        }
        let red = unsafe RawSpan(_unsafeBytes: UnsafeRawBufferPointer(buffers[2]))
        return try body(view(luma, PixelView.ChromaPlanes(blue: blue, red: red, bytesPerRow: rows[1]), region))
    }

    @_lifetime(copy luma, copy chroma)
    private func view(_ luma: RawSpan, _ chroma: PixelView.ChromaPlanes?, _ region: PixelView.Region?) throws(PixelView
        .FrameError) -> PixelView
    {
        try PixelView(
            luma, chroma: chroma, format: format, width: width, height: height, bytesPerRow: rows[0], region: region,
            matrix: matrix)
    }
}
