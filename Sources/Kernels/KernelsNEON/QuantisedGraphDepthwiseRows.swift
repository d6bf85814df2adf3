#if arch(arm64)
    import _Builtin_intrinsics.arm.neon

    // What the depthwise convolutions of int8 graphs share, with dot products and without: the loop over rows and
    // channels, and the way of two neighbouring outputs from their sums to the map.

    /// Sums of two neighbouring outputs.
    struct TwoSums {
        var s0, s1: Sixteen

        @inline(always)
        init(_ biases: UnsafeRawPointer) {
            s0 = Sixteen(biases)
            s1 = s0
        }
    }

    /// What the outputs of sixteen channels have in common.
    struct DepthwiseOutput {
        private let kind: RowKind
        private let pointer: UnsafeRawPointer
        private let rounding: QuantisedRounding
        private let parameters: ChannelParameters
        let biases: UnsafeRawPointer
        /// Bytes from an output to that of the lower row.
        let row: Int

        @inline(always)
        init(_ kind: RowKind, _ rounding: UnsafeRawPointer, _ parameters: ChannelParameters, _ row: Int) {
            self.kind = kind
            pointer = rounding
            self.rounding = QuantisedRounding(rounding)
            self.parameters = parameters
            self.row = row
            biases = parameters.biases(self.rounding.way(kind, parameters, hasResidual: false))
        }

        @inline(always)
        func put(_ sums: TwoSums, _ step: Int, _ out: UnsafeMutableRawPointer) {
            // With a step of 0 the first output remains.
            if kind.isClamped {
                rounding.putClamped(sums.s1, parameters, out + step)
                rounding.putClamped(sums.s0, parameters, out)
            } else if kind.isSigned {
                rounding.putSigned(sums.s1, parameters, hasResidual: false, out, out + step)
                rounding.putSigned(sums.s0, parameters, hasResidual: false, out, out)
            } else {
                var memory = sums
                var target = PixelTarget(
                    count: step > 0 ? 2 : 1, parameters: parameters, rounding: pointer, residual: nil,
                    residualPixel: 0, out: out, outPixel: step)
                putQuantised(&memory, &target)
            }
        }
    }

    /// Sixteen channels of a row of the output, or of two rows. `out + outRow` begins the second one.
    struct DepthwiseRow {
        var input: UnsafeRawPointer
        let inRow, pixels, channels: Int
        var block: UnsafeRawPointer
        let rounding: UnsafeRawPointer
        var out: UnsafeMutableRawPointer
        let outRow: Int
        let woven: UnsafeMutableRawPointer
        /// Bytes of the weights of a woven column of each tap.
        let columns: Int
        var kind = RowKind.other
    }

    // A function that is not inlined has a name that is unique to the tier. Those of rows take the address of a
    // `DepthwiseRow`.

    typealias MakeDepthwiseRow = @convention(c) (_ row: UnsafeRawPointer) -> Void

    /// Memory for woven columns.
    private struct WovenColumns {
        private typealias Eighth = SIMD64<UInt64>
        private var memory: (Eighth, Eighth, Eighth, Eighth, Eighth, Eighth, Eighth, Eighth)

        @inline(always)
        init() {
            let none = Eighth(repeating: 0)
            memory = (none, none, none, none, none, none, none, none)
        }
    }

    /// Makes one row, or two. `two` is nil where two rows are made one after the other.
    struct DepthwiseRowKernels {
        let one: MakeDepthwiseRow
        let two: MakeDepthwiseRow?
    }

    /// See `QuantisedConvolutionKernels.Depthwise`.
    /// - parameters: bytes of the weights of sixteen channels.
    /// - columns: see `DepthwiseRow`.
    @inline(always)
    func depthwise(
        _ parameters: Int, columns: Int, _ input: UnsafePointer<UInt8>, _ inRow: Int, _ stride: Int, _ height: Int,
        _ width: Int, _ channels: Int, _ packed: UnsafeRawPointer, _ rounding: UnsafeRawPointer,
        _ out: UnsafeMutablePointer<UInt8>, _ outRow: Int, _ kernels: DepthwiseRowKernels
    ) {
        var wovenColumns = WovenColumns()
        withUnsafeMutableBytes(of: &wovenColumns) { memory in
            let woven = memory.baseAddress.unsafelyUnwrapped
            var y = 0
            while y < height {
                let hasLower = kernels.two != nil && y &+ 1 < height
                var row = DepthwiseRow(
                    input: UnsafeRawPointer(input + stride &* y &* inRow), inRow: inRow, pixels: width,
                    channels: channels, block: packed, rounding: rounding,
                    out: UnsafeMutableRawPointer(out + y &* outRow), outRow: outRow, woven: woven,
                    columns: columns)
                var c = 0
                while c < channels {
                    row.kind = QuantisedRounding(rounding).kind(
                        ChannelParameters(row.block + parameters), hasResidual: false)
                    if let two = kernels.two, hasLower { two(&row) } else { kernels.one(&row) }
                    row.input += 16
                    row.block += parameters &+ ChannelParameters.bytes
                    row.out += 16
                    c &+= 16
                }
                y &+= hasLower ? 2 : 1
            }
        }
    }
#endif
