/// Stem and depthwise convolutions in int8 for every CPU.
///
/// Packed parameters: weights `[depth][channels]`, then bias and multipliers, each part 64-byte aligned.

/// What `Int8Kernels` packs for these layers: one panel of all channels.
var convolutionLayout: WeightLayout {
    WeightLayout(width: 16, panelWidth: { left in left }, vectors: 2, alignment: 64)
}

/// The offsets of the parts of a packed convolution.
struct PackedConvolution {
    let biasOffset: Int
    let multiplierOffset: Int
    let byteCount: Int

    @inline(__always)
    init(channels: Int, depth: Int) {
        biasOffset = (channels * depth + 63) / 64 * 64
        multiplierOffset = biasOffset + (4 * channels + 63) / 64 * 64
        byteCount = multiplierOffset + (4 * channels + 63) / 64 * 64
    }
}

/// See `Int8Kernels.Stem`.
func gk_stem_u8s8_portable(
    _ frame: UnsafePointer<UInt8>, _ firstRow: Int, _ rows: Int, _ packed: UnsafeRawPointer,
    _ out: UnsafeMutablePointer<UInt8>, _ outStride: Int
) {
    let side = 224
    let layout = PackedConvolution(channels: 16, depth: 9)
    let weights = packed.assumingMemoryBound(to: Int8.self)
    let b = Lanes.int32(packed + layout.biasOffset)
    let m = Lanes.float(packed + layout.multiplierOffset)
    for y in firstRow..<firstRow + rows {
        let target = out + (y - firstRow) * outStride
        for x in 0..<112 {
            var sum = b
            for r in (y == 0 ? 1 : 0)..<3 {
                let row = frame + (2 * y + r - 1) * side + 2 * x - 1
                for s in (x == 0 ? 1 : 0)..<3 {
                    let code = SIMD16<Int16>(repeating: Int16(truncatingIfNeeded: row[s]))
                    sum &+= Lanes.product(code, Lanes.weights(weights + (3 * r + s) * 16))
                }
            }
            let column = x % 2 == 0 ? 56 + x / 2 : x / 2
            Lanes.store(Lanes.requantise(sum, m), target + column * 16)
        }
    }
}

/// See `Int8Kernels.Depthwise3x3`.
func gk_dw3x3_u8s8_portable(
    _ input: UnsafePointer<UInt8>, _ inStride: Int, _ stride: Int,
    _ rows: Int, _ width: Int, _ channels: Int, _ packed: UnsafeRawPointer,
    _ out: UnsafeMutablePointer<UInt8>, _ scratch: UnsafeMutablePointer<UInt8>
) {
    let layout = PackedConvolution(channels: channels, depth: 9)
    let weights = packed.assumingMemoryBound(to: Int8.self)
    // The offsets of the three columns of taps of output column 0; see `MapLayout`.
    let columns = stride == 1 ? (0, channels, 2 * channels) : (0, (1 + width) * channels, channels)
    for c in groups(of16: channels) {
        let b = Lanes.int32(packed + layout.biasOffset + 4 * c)
        let m = Lanes.float(packed + layout.multiplierOffset + 4 * c)
        for y in 0..<rows {
            for x in 0..<width {
                var sum = b
                for r in 0..<3 {
                    let row = input + (stride * y + r) * inStride + x * channels + c
                    let w = weights + 3 * r * channels + c
                    sum &+= Lanes.product(Lanes.quantised(row + columns.0), Lanes.weights(w))
                    sum &+= Lanes.product(Lanes.quantised(row + columns.1), Lanes.weights(w + channels))
                    sum &+= Lanes.product(Lanes.quantised(row + columns.2), Lanes.weights(w + 2 * channels))
                }
                Lanes.store(Lanes.requantise(sum, m), out + (y * width + x) * channels + c)
            }
        }
    }
}

/// This tier's depthwise convolution needs no scratch memory.
func gk_dwscratch_u8s8_portable(_ width: Int, _ channels: Int) -> Int { 0 }

/// See `Int8Kernels.Depthwise7x7`.
func gk_dw7x7_u8s8_portable(
    _ input: UnsafePointer<UInt8>, _ channels: Int, _ packed: UnsafeRawPointer, _ out: UnsafeMutablePointer<UInt8>
) {
    let layout = PackedConvolution(channels: channels, depth: 49)
    let weights = packed.assumingMemoryBound(to: Int8.self)
    for c in groups(of16: channels) {
        var sum = Lanes.int32(packed + layout.biasOffset + 4 * c)
        for p in 0..<49 {
            let at = p * channels + c
            sum &+= Lanes.product(Lanes.quantised(input + at), Lanes.weights(weights + at))
        }
        Lanes.store(Lanes.requantise(sum, Lanes.float(packed + layout.multiplierOffset + 4 * c)), out + c)
    }
}

/// First channels of the groups of sixteen.
@inline(__always)
func groups(of16 channels: Int) -> StrideTo<Int> { stride(from: 0, to: channels, by: 16) }
