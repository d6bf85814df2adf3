import KernelInterface
import Kernels
import ModelFile
import Network
import Synchronization

/// What a graph asks of the int8 kernels in one run: the shapes of all calls, for estimates of their time on other CPUs.
/// Property names are the JSON keys.
struct KernelCalls: Encodable {
    /// Calls with equal numbers.
    struct Call: Encodable, Equatable {
        let kernel: String
        /// By the names that the parameters have in `QuantisedConvolutionKernels` and `MapKernels`; flags are 0 or 1.
        let numbers: [String: Int]
        /// Of each sixteen channels of a convolution.
        let bounds: [Bounds]
        var count = 1
    }

    /// What the weights prove: the largest magnitude of a sum, and of a result before it is clamped to a byte.
    struct Bounds: Encodable, Equatable {
        var sum, value: Int
    }

    /// In the order of their first call.
    let calls: [Call]

    /// Plans the graph and runs it once, on zeros.
    init(_ file: GraphFile) throws {
        record.withLock { $0 = Record() }
        let unit = GraphUnit(try GraphPlan(file, kernels: recording))
        for index in file.graph.inputs.indices { unit.setInput(index: index) { _ in 0 } }
        unit.run()
        calls = record.withLock { $0.calls }
    }
}

/// Kernels are C functions, so what they note is global.
private struct Record {
    var calls: [KernelCalls.Call] = []
    /// By the address of packed parameters.
    var bounds: [UInt: [KernelCalls.Bounds]] = [:]

    mutating func add(_ kernel: String, _ numbers: [String: Int], packed: UnsafeRawPointer? = nil) {
        let bounds = unsafe packed.flatMap { self.bounds[UInt(bitPattern: $0)] } ?? []
        if let index = calls.firstIndex(where: {
            $0.kernel == kernel && $0.numbers == numbers && $0.bounds == bounds
        }) {
            calls[index].count += 1
        } else {
            calls.append(KernelCalls.Call(kernel: kernel, numbers: numbers, bounds: bounds))
        }
    }

    /// Notes the bounds of a layer.
    /// - weight: of channel n and product k.
    mutating func pack(
        _ channels: Int, _ depth: Int, _ bias: UnsafePointer<Int32>?, _ multiplier: UnsafePointer<Float>?,
        _ packed: UnsafeMutableRawPointer?, weight: (_ n: Int, _ k: Int) -> Int
    ) {
        guard let bias = unsafe bias, let multiplier = unsafe multiplier, let packed = unsafe packed else { return }
        var all: [KernelCalls.Bounds] = []
        for n in 0..<channels {
            if n % 16 == 0 { all.append(KernelCalls.Bounds(sum: 0, value: 0)) }
            var (low, high) = unsafe (Int(bias[n]), Int(bias[n]))
            for k in 0..<depth {
                let product = 255 * weight(n, k)
                if product < 0 { low += product } else { high += product }
            }
            let sum = max(-low, high)
            let value = unsafe Int((Double(sum) * Double(multiplier[n])).rounded(.up))
            all[n / 16].sum = max(all[n / 16].sum, sum)
            all[n / 16].value = max(all[n / 16].value, value)
        }
        bounds[UInt(bitPattern: packed)] = all
    }
}

private let record = Mutex(Record())
private let portable = KernelRegistry.available[KernelRegistry.available.count - 1]

/// The portable kernels, noted as they are called.
private let recording = unsafe KernelTable(
    tier: portable.tier, int8: portable.int8, float: portable.float, convolution: portable.convolution,
    commonConvolution: portable.commonConvolution, quantisedConvolution: quantised, map: map, resize: portable.resize,
    crop: portable.crop, peak: portable.peak)

private let quantised = unsafe QuantisedConvolutionKernels(
    packConvolution: { weights, bias, multiplier, slope, channels, depth, packed in
        record.withLock {
            unsafe $0.pack(channels, depth, bias, multiplier, packed) { n, k in
                unsafe Int(weights.unsafelyUnwrapped[n * depth + k])
            }
        }
        return unsafe portable.quantisedConvolution.packConvolution(
            weights, bias, multiplier, slope, channels, depth, packed)
    },
    convolve: {
        a, aRow, aPixel, lines, pixels, taps, tapStride, depth, columns, packed, residual, residualRow, residualPixel,
        residualColumns, rounding, out, outRow, outPixel, batchRows, batchPixels, working in
        let numbers = unsafe [
            "lines": lines, "pixels": pixels, "aPixel": aPixel, "taps": taps, "depth": depth, "columns": columns,
            "residualColumns": residual == nil ? 0 : min(residualColumns, columns), "outPixel": outPixel,
            "batchRows": batchRows, "batchPixels": batchPixels,
        ]
        record.withLock { unsafe $0.add("convolve", numbers.with(rounding), packed: packed) }
        unsafe portable.quantisedConvolution.convolve(
            a, aRow, aPixel, lines, pixels, taps, tapStride, depth, columns, packed, residual, residualRow,
            residualPixel, residualColumns, rounding, out, outRow, outPixel, batchRows, batchPixels, working)
    },
    convolveToFloat: {
        a, aRow, aPixel, lines, pixels, taps, tapStride, depth, columns, packed, upper, out, outRow, outPixel,
        batchRows, batchPixels, working in
        let numbers = [
            "lines": lines, "pixels": pixels, "aPixel": aPixel, "taps": taps, "depth": depth, "columns": columns,
            "outPixel": outPixel, "batchRows": batchRows, "batchPixels": batchPixels,
        ]
        record.withLock { unsafe $0.add("convolveToFloat", numbers, packed: packed) }
        unsafe portable.quantisedConvolution.convolveToFloat(
            a, aRow, aPixel, lines, pixels, taps, tapStride, depth, columns, packed, upper, out, outRow, outPixel,
            batchRows, batchPixels, working)
    },
    packDepthwise: { weights, bias, multiplier, slope, channels, size, packed in
        record.withLock {
            unsafe $0.pack(channels, size * size, bias, multiplier, packed) { n, k in
                unsafe Int(weights.unsafelyUnwrapped[k * channels + n])
            }
        }
        return unsafe portable.quantisedConvolution.packDepthwise(
            weights, bias, multiplier, slope, channels, size, packed)
    },
    depthwise: { input, inRow, size, stride, lines, pixels, channels, packed, rounding, out, outRow in
        let numbers = ["size": size, "stride": stride, "lines": lines, "pixels": pixels, "channels": channels]
        record.withLock { unsafe $0.add("depthwise", numbers.with(rounding), packed: packed) }
        unsafe portable.quantisedConvolution.depthwise(
            input, inRow, size, stride, lines, pixels, channels, packed, rounding, out, outRow)
    })

private let map = unsafe MapKernels(
    add: { a, b, count, p, out in
        record.withLock { unsafe $0.add("add", ["count": count]) }
        unsafe portable.map.add(a, b, count, p, out)
    },
    maxPool: { input, row, pixel, height, width, step, pixels, channels, out, outPixel in
        record.withLock {
            unsafe $0.add("maxPool", ["height": height, "width": width, "pixels": pixels, "channels": channels])
        }
        unsafe portable.map.maxPool(input, row, pixel, height, width, step, pixels, channels, out, outPixel)
    },
    interpolateColumns: { a, b, share, count, out in
        record.withLock { unsafe $0.add("interpolateColumns", ["count": count]) }
        unsafe portable.map.interpolateColumns(a, b, share, count, out)
    },
    interpolateRows: { a, b, share, count, out in
        record.withLock { unsafe $0.add("interpolateRows", ["count": count]) }
        unsafe portable.map.interpolateRows(a, b, share, count, out)
    })

extension [String: Int] {
    /// Adds the values that the kernels' `rounding` points to.
    fileprivate func with(_ rounding: UnsafeRawPointer) -> [String: Int] {
        let added = unsafe [
            "zero": Int(rounding.load(as: Int32.self)), "lower": Int(rounding.load(fromByteOffset: 4, as: Int32.self)),
            "upper": Int(rounding.load(fromByteOffset: 8, as: Int32.self)),
            "hasSlopes": Int(rounding.load(fromByteOffset: 20, as: Int32.self)),
        ]
        return merging(added) { own, _ in own }
    }
}
