import KernelInterface
import Network
import Vocabulary

/// One layer of the network alone, with random parameters and input, ready to run on any tier's kernels.
final class LayerRun {
    let spec: LayerSpec
    private let weights: [Int8]
    private let bias: [Int32]
    private let multiplier: [Float]
    private let input: AlignedBytes
    private let inputStride: Int
    private let output: AlignedBytes

    /// Bytes that the layer reads and writes: input, weights, output.
    var byteCount: Int { input.count + weights.count + spec.outputCount }

    init(_ spec: LayerSpec, seed: UInt64) {
        var random = SplitMix64(seed: seed)
        self.spec = spec
        weights = (0..<spec.weightCount).map { _ in Int8.random(in: -127...127, using: &random) }
        bias = (0..<spec.outputChannels).map { _ in Int32.random(in: -4000...4000, using: &random) }
        multiplier = (0..<spec.outputChannels).map { _ in
            Float.random(in: 0.2...2, using: &random) / Float(100 * spec.depth)
        }
        let pixels: Int
        switch spec.kind {
        case .stem: (pixels, inputStride) = (224 * 224, 224)
        case .depthwise3x3:
            let layout: MapLayout = spec.stride == 1 ? .dense : .split
            inputStride = layout.rowPixels(size: spec.inputSize) * spec.inputChannels
            pixels = layout.rows(size: spec.inputSize) * inputStride
        case .pointwise, .depthwise7x7:
            inputStride = spec.inputChannels
            pixels = spec.inputSize * spec.inputSize * inputStride
        case .temporal, .classifier: (pixels, inputStride) = (spec.depth, spec.inputChannels)
        }
        input = AlignedBytes(count: pixels)
        for index in 0..<pixels { unsafe input.bytes[index] = UInt8.random(in: 0...255, using: &random) }
        output = AlignedBytes(count: max(spec.outputCount, 64 * MemoryLayout<Float>.stride))
    }

    /// The layer's parameters in a tier's order, and scratch memory.
    func prepare(_ kernels: Int8Kernels) -> Prepared {
        let pack = unsafe kernels.pack(for: spec.kind)
        let count = pack(nil, nil, nil, spec.outputChannels, spec.depth, nil)
        let packed = AlignedBytes(count: count)
        _ = unsafe pack(weights, bias, multiplier, spec.outputChannels, spec.depth, packed.base)
        let scratch =
            spec.kind == .depthwise3x3 ? kernels.depthwiseScratch(spec.outputSize, spec.outputChannels) : 64
        return Prepared(kernels: kernels, packed: packed, scratch: AlignedBytes(count: scratch))
    }

    struct Prepared {
        fileprivate let kernels: Int8Kernels
        fileprivate let packed: AlignedBytes
        fileprivate let scratch: AlignedBytes
    }

    /// Computes the whole layer once.
    func run(_ layer: Prepared) {
        let kernels = layer.kernels
        let source = unsafe UnsafePointer(input.base)
        let target = unsafe output.base
        let channels = spec.inputChannels
        switch spec.kind {
        case .stem: unsafe kernels.stem(source, 0, spec.outputSize, layer.packed.base, target, spec.outputSize * 16)
        case .depthwise3x3:
            unsafe kernels.depthwise3x3(
                source, inputStride, spec.stride, spec.outputSize, spec.outputSize, channels, layer.packed.base,
                target, layer.scratch.base)
        case .depthwise7x7: unsafe kernels.depthwise7x7(source, channels, layer.packed.base, target)
        case .pointwise:
            unsafe kernels.gemm(
                source, channels, spec.outputSize * spec.outputSize, 1, 0, channels, spec.outputChannels,
                layer.packed.base, target, spec.outputChannels)
        case .temporal:
            unsafe kernels.gemm(
                source, 0, 1, 3, channels, channels, spec.outputChannels, layer.packed.base, target,
                spec.outputChannels)
        case .classifier:
            unsafe target.withMemoryRebound(to: Float.self, capacity: 64) { logits in
                unsafe kernels.classify(source, channels, spec.outputChannels, layer.packed.base, logits)
            }
        }
    }

    /// The output of the last run.
    var result: [UInt8] {
        let size = spec.kind == .classifier ? MemoryLayout<Float>.stride : 1
        return unsafe [UInt8](output.bytes.prefix(spec.outputCount * size))
    }
}

/// Zeroed bytes, 64-byte aligned.
@safe
final class AlignedBytes {
    let bytes: UnsafeMutableRawBufferPointer
    var count: Int { unsafe bytes.count }
    var base: UnsafeMutablePointer<UInt8> { unsafe bytes.baseAddress!.assumingMemoryBound(to: UInt8.self) }

    init(count: Int) {
        unsafe bytes = .allocate(byteCount: max(count, 64), alignment: 64)
        unsafe bytes.initializeMemory(as: UInt8.self, repeating: 0)
    }

    deinit { unsafe bytes.deallocate() }
}
