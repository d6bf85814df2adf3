#if arch(arm64)
    import _Builtin_intrinsics.arm.neon

    // What the depthwise convolutions of int8 graphs share, with dot products and without: the loop over rows and
    // channels, and the way of two neighbouring outputs from their sums to the map.

    /// Sums of two neighbouring outputs.
    struct TwoSums {
        var s0, s1: Sixteen

        @inline(__always)
        init(_ biases: UnsafeRawPointer) {
            s0 = Sixteen(biases)
            s1 = s0
        }
    }

    /// What the outputs of sixteen channels have in common.
    struct DepthwiseOutput {
        private let isClamped: Bool
        private let pointer: UnsafeRawPointer
        private let rounding: QuantisedRounding
        private let parameters: ChannelParameters
        let biases: UnsafeRawPointer
        /// Bytes from an output to that of the lower row.
        let row: Int

        /// - isClamped: whether the way is the clamped one.
        @inline(__always)
        init(isClamped: Bool, _ rounding: UnsafeRawPointer, _ parameters: ChannelParameters, _ row: Int) {
            self.isClamped = isClamped
            pointer = rounding
            self.rounding = QuantisedRounding(rounding)
            self.parameters = parameters
            self.row = row
            biases = parameters.biases(isClamped ? .clamped : self.rounding.way(parameters, hasResidual: false))
        }

        @inline(__always)
        func put(_ sums: TwoSums, _ step: Int, _ out: UnsafeMutableRawPointer) {
            if isClamped {
                // With a step of 0 the first output remains.
                rounding.putClamped(sums.s1, parameters, out + step)
                rounding.putClamped(sums.s0, parameters, out)
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
    }

    // The rows are exported like kernels: a function that is not inlined needs a name that is unique to the tier, and
    // the compiler inlines a whole row only into a small caller. They take the address of a `DepthwiseRow`.

    typealias MakeDepthwiseRow = @convention(c) (_ row: UnsafeRawPointer) -> Void

    /// Memory for woven columns.
    private struct WovenColumns {
        private typealias Eighth = SIMD64<UInt64>
        private var memory: (Eighth, Eighth, Eighth, Eighth, Eighth, Eighth, Eighth, Eighth)

        @inline(__always)
        init() {
            let none = Eighth(repeating: 0)
            memory = (none, none, none, none, none, none, none, none)
        }
    }

    /// Makes one or two rows, in the clamped way and in the others.
    struct DepthwiseRowKernels {
        let one, clampedOne: MakeDepthwiseRow
        /// Nil where two rows are made one after the other.
        let two, clampedTwo: MakeDepthwiseRow?
    }

    /// See `QuantisedConvolutionKernels.Depthwise`.
    /// - parameters: bytes of the weights of sixteen channels.
    /// - columns: see `DepthwiseRow`.
    @inline(__always)
    func depthwise(
        _ parameters: Int, columns: Int, _ input: UnsafePointer<UInt8>, _ inRow: Int, _ stride: Int, _ lines: Int,
        _ pixels: Int,
        _ channels: Int, _ packed: UnsafeRawPointer, _ rounding: UnsafeRawPointer, _ out: UnsafeMutablePointer<UInt8>,
        _ outRow: Int, _ kernels: DepthwiseRowKernels
    ) {
        var wovenColumns = WovenColumns()
        withUnsafeMutableBytes(of: &wovenColumns) { memory in
            let woven = memory.baseAddress.unsafelyUnwrapped
            var y = 0
            while y < lines {
                let hasLower = kernels.two != nil && y &+ 1 < lines
                var row = DepthwiseRow(
                    input: UnsafeRawPointer(input + stride &* y &* inRow), inRow: inRow, pixels: pixels,
                    channels: channels, block: packed, rounding: rounding,
                    out: UnsafeMutableRawPointer(out + y &* outRow), outRow: outRow, woven: woven,
                    columns: columns)
                var c = 0
                while c < channels {
                    let way = QuantisedRounding(rounding).way(
                        ChannelParameters(row.block + parameters), hasResidual: false)
                    let (one, two) =
                        way.isClamped ? (kernels.clampedOne, kernels.clampedTwo) : (kernels.one, kernels.two)
                    if let two, hasLower { two(&row) } else { one(&row) }
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
