import Kernels
import ModelFile
package import Network
import PixelFrontEnd
package import Vocabulary

/// Inputs of a network and the logits that another implementation makes of them.
package struct ReferenceLogits: Sendable {
    /// Each the values of an image or of a column, 0...255, oldest first.
    package let inputs: [[UInt8]]
    /// Of every input, or of every one with fifteen before it.
    package let logits: [[Float]]

    /// Reads an archive of arrays: `input`, uint8 `[T, 224, 224]` or `[T, 128]`, and `logits`, floats `[T, classes]` or
    /// `[T - 15, classes]`. Other members are left out.
    package init(npz bytes: [UInt8], frontEnd: FrontEnd, classCount: Int) throws(ImportError) {
        let format = ModelFileError.FileFormat.detect(bytes)
        guard format == .npz || format == .zip else { throw .noArrays(format) }
        let tensors = try Checkpoint.tensors(npz: bytes)
        guard let input = tensors["input"] else { throw .file(.missingTensor("input")) }
        guard let logits = tensors["logits"] else { throw .file(.missingTensor("logits")) }
        guard let raw = input.bytes, input.type == "|u1" else {
            throw .file(.wrongType(tensor: "input", expected: "|u1", found: input.type))
        }
        guard let values = logits.values else {
            throw .file(.wrongType(tensor: "logits", expected: "<f4", found: logits.type))
        }
        let side = GestureTCN.inputSide
        let steps = input.shape.first ?? 0
        let expected = [steps] + (frontEnd == .pixels ? [side, side] : [GestureTCN.featureCount])
        guard input.shape == expected, steps >= GestureTCN.windowLength else {
            throw .file(
                .wrongShape(
                    tensor: "input", expected: [max(steps, GestureTCN.windowLength)] + expected.dropFirst(),
                    found: input.shape))
        }
        let windows = steps - GestureTCN.windowLength + 1
        guard logits.shape == [windows, classCount] || logits.shape == [steps, classCount] else {
            throw .file(.wrongShape(tensor: "logits", expected: [windows, classCount], found: logits.shape))
        }
        let length = frontEnd.inputCount
        inputs = (0..<steps).map { Array(raw[raw.startIndex + $0 * length..<raw.startIndex + ($0 + 1) * length]) }
        self.logits = stride(from: 0, to: values.count, by: classCount).map { Array(values[$0..<$0 + classCount]) }
    }
}

/// The agreement of a model's logits with those of another implementation.
package struct ModelVerification: Sendable, Equatable, Codable {
    package let inputs: Int
    /// Predictions compared: inputs with fifteen others before them.
    package let windows: Int
    package let largestError: Float
    package let meanError: Double
    /// The share of windows in which the same class leads.
    package let top1Agreement: Double

    /// Compares a model with the logits of another implementation.
    /// - Parameter progress: called with the number of inputs that are done.
    package init(
        _ weights: NetworkWeights, against reference: ReferenceLogits, progress: (Int) -> Void = { _ in }
    ) throws(ImportError) {
        let missing = reference.inputs.count - reference.logits.count
        try self.init(weights, inputs: reference.inputs.count, progress) { index, input in
            input = reference.inputs[index]
            return index < missing ? nil : reference.logits[index - missing]
        }
    }

    /// Compares a model with its network in float32, on random inputs that are the same in every run. They are made one at a
    /// time, so that any number of them takes the same memory.
    /// - Parameter progress: called with the number of inputs that are done.
    package init(
        _ weights: NetworkWeights, against network: FoldedNetwork, inputs count: Int, progress: (Int) -> Void = { _ in }
    ) throws(ImportError) {
        let unit = NetworkUnit(float: try network.networkWeights(), kernels: KernelRegistry.select())
        var generator = SplitMix64(seed: 1)
        try self.init(weights, inputs: count, progress) { _, input in
            for place in input.indices { input[place] = UInt8.random(in: 0...255, using: &generator) }
            return unit.trace(input.span) { _, _ in }
        }
    }

    /// Runs the model as the engine does, from a reset on: int8 models in int8.
    /// - Parameter expected: writes the input of this index and returns its logits, if it has any.
    private init(
        _ weights: NetworkWeights, inputs inputCount: Int, _ progress: (Int) -> Void,
        expected: (_ index: Int, _ input: inout [UInt8]) -> [Float]?
    ) throws(ImportError) {
        let kernels = KernelRegistry.select()
        let unit: NetworkUnit
        do throws(NetworkError) { unit = try NetworkUnit(int8: weights, kernels: kernels) } catch {
            switch error {
            case .notQuantised: unit = NetworkUnit(float: weights, kernels: kernels)
            }
        }
        var input = [UInt8](repeating: 0, count: weights.frontEnd.inputCount)
        var (count, agreeing, largest, sum) = (0, 0, Float(0), 0.0)
        var rows = 0
        for index in 0..<inputCount {
            progress(index)
            let expected = expected(index, &input)
            if expected != nil { rows += 1 }
            guard let found = unit.trace(input.span, { _, _ in }), let expected else { continue }
            guard expected.allSatisfy(\.isFinite) else {
                throw .notFinite(tensor: "logits", index: (rows - 1) * expected.count)
            }
            count += 1
            if NetworkComparison.indexOfLargest(expected) == NetworkComparison.indexOfLargest(found) { agreeing += 1 }
            for (value, other) in zip(expected, found) {
                largest = max(largest, abs(value - other))
                sum += Double(abs(value - other))
            }
        }
        inputs = inputCount
        windows = count
        largestError = largest
        meanError = sum / Double(max(1, count * weights.classCount))
        top1Agreement = Double(agreeing) / Double(max(1, count))
    }
}
