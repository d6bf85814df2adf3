#if arch(x86_64)
    public import KernelInterface

    // The float32 depthwise convolutions of network graphs.
    //
    // The sums of seven or six neighbouring pixels of a row stay in registers, nearly the eight chains that two ports
    // need, together with the pixels under one tap. The next tap covers the same pixels but one. So a weight is loaded
    // once for seven sums, and an input pixel once for the five taps of a row. All channels of a group are computed
    // before the next group, so that each cache line is used completely while it is cached.
    //
    // Packed as a convolution whose panels are one vector wide.

    /// One row of a depthwise convolution. Strides are in bytes.
    @usableFromInline
    struct FloatDepthwiseRow {
        @usableFromInline
        let input: UnsafeRawPointer
        @usableFromInline
        let inRow, pixels, channels: Int
        @usableFromInline
        let packed: UnsafeRawPointer
        @usableFromInline
        let upper: Float
        @usableFromInline
        let out: UnsafeMutableRawPointer
        @usableFromInline
        let outPixel: Int

        @export(implementation) @inline(always)
        init(
            input: UnsafeRawPointer, inRow: Int, pixels: Int, channels: Int, packed: UnsafeRawPointer, upper: Float,
            out: UnsafeMutableRawPointer, outPixel: Int
        ) {
            (self.input, self.inRow, self.pixels, self.channels) = (input, inRow, pixels, channels)
            (self.packed, self.upper, self.out, self.outPixel) = (packed, upper, out, outPixel)
        }

        @export(implementation) @inline(always)
        var inPixel: Int { 4 &* channels }
    }

    extension FloatVectors {
        /// See `ConvolutionKernels.Depthwise`.
        @export(implementation) @inline(always)
        public static func depthwise(
            _ input: UnsafePointer<Float>, _ inRow: Int, _ size: Int, _ stride: Int,
            _ height: Int, _ width: Int, _ channels: Int, _ packed: UnsafeRawPointer, _ upper: Float,
            _ out: UnsafeMutablePointer<Float>, _ outRow: Int, _ outPixel: Int
        ) {
            var y = 0
            while y < height {
                let row = FloatDepthwiseRow(
                    input: UnsafeRawPointer(input + stride &* y &* inRow), inRow: 4 &* inRow, pixels: width,
                    channels: channels, packed: packed, upper: upper, out: UnsafeMutableRawPointer(out + y &* outRow),
                    outPixel: 4 &* outPixel)
                withUnsafePointer(to: row) { depthwiseRow(size, stride, $0) }
                y &+= 1
            }
        }

        /// - size, stride: literals.
        /// - address: of a `FloatDepthwiseRow`.
        @export(implementation) @inline(always)
        public static func computeDepthwiseRow(_ size: Int, _ stride: Int, _ address: UnsafeRawPointer) {
            let row = address.load(as: FloatDepthwiseRow.self)
            let count = depthwisePixels(size, stride, row.pixels)
            var x = 0
            while x < row.pixels {
                // The last group overlaps the one before it if the row is not a multiple of the group.
                if row.pixels &- x < count { x = row.pixels &- count }
                var w = row.packed
                var source = row.input + stride &* x &* row.inPixel
                var target = row.out + x &* row.outPixel
                var left = row.channels
                while left > 0 {
                    let mask = mask(before: left)
                    if count == 7 {
                        putGroup(7, size, stride, row, source, mask, w, target)
                    } else if count == 6 {
                        putGroup(6, size, stride, row, source, mask, w, target)
                    } else if areMasksFree && count == 4 {
                        putGroup(4, size, stride, row, source, mask, w, target)
                    } else {
                        putOnes(count, size, stride, row, source, mask, w, target)
                    }
                    w += floatPanelBytes(laneCount, size &* size)
                    source += bytes
                    target += bytes
                    left &-= laneCount
                }
                x &+= count
            }
        }

        /// The masked channels of a pixel. Without free masks channels are multiples of a vector.
        @export(implementation) @inline(always)
        static func load(_ p: UnsafeRawPointer, channels mask: Mask) -> Floats {
            areMasksFree ? load(p, mask) : load(p)
        }

        /// - parameters: a vector of biases, which the sum already contains, and one of slopes.
        @export(implementation) @inline(always)
        static func put(
            _ sum: Floats, _ mask: Mask, _ parameters: UnsafeRawPointer, _ upper: Float, _ out: UnsafeMutableRawPointer
        ) {
            let v = activated(sum, load(parameters + bytes), upper)
            if areMasksFree { store(v, out, mask) } else { store(v, out) }
        }

        /// Some pixels of a vector of channels.
        @export(implementation) @inline(always)
        static func putGroup(
            _ count: Int, _ size: Int, _ stride: Int, _ row: FloatDepthwiseRow, _ input: UnsafeRawPointer, _ mask: Mask,
            _ packed: UnsafeRawPointer, _ out: UnsafeMutableRawPointer
        ) {
            let parameters = packed + bytes &* size &* size
            var sums = RegisterArray(repeating: load(parameters))
            var (line, w) = (input, packed)

            /// Adds a tap of the row of taps. Offsets are multiples of a pixel, so that the compiler sees which pixels two
            /// taps share.
            @inline(always)
            func add(_ tap: Int) {
                let weights = load(w + tap &* bytes)
                sums.update(count) {
                    let pixel = load(line + (tap &+ $1 &* stride) &* row.inPixel, channels: mask)
                    $0 = multiplyAdd($0, pixel, weights)
                }
            }
            // At stride 2 even taps share pixels. Where there are few registers, they come first.
            let isInOrder = stride == 1 || laneCount > 8
            var r = 0
            while r < size {
                add(0)
                if isInOrder { add(1) }
                add(2)
                if isInOrder && size > 3 { add(3) }
                if size > 3 { add(4) }
                if !isInOrder { add(1) }
                if !isInOrder && size > 3 { add(3) }
                line += row.inRow
                w += bytes &* size
                r &+= 1
            }
            sums.forEach(count) { put($0, mask, parameters, row.upper, out + $1 &* row.outPixel) }
        }

        /// Few pixels, one by one.
        @export(implementation) @inline(always)
        static func putOnes(
            _ count: Int, _ size: Int, _ stride: Int, _ row: FloatDepthwiseRow, _ input: UnsafeRawPointer, _ mask: Mask,
            _ packed: UnsafeRawPointer, _ out: UnsafeMutableRawPointer
        ) {
            let parameters = packed + bytes &* size &* size
            var x = 0
            while x < count {
                var sum = load(parameters)
                var (line, w) = (input + x &* stride &* row.inPixel, packed)
                var r = 0
                while r < size {
                    var s = 0
                    while s < size {
                        sum = multiplyAdd(sum, load(line + s &* row.inPixel, channels: mask), load(w))
                        w += bytes
                        s &+= 1
                    }
                    line += row.inRow
                    r &+= 1
                }
                put(sum, mask, parameters, row.upper, out + x &* row.outPixel)
                x &+= 1
            }
        }
    }
#endif
