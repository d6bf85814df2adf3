#if arch(x86_64)
    public import KernelInterface

    // The float32 stem, depthwise convolutions and epilogue of the pixel network.

    /// Three weights of a vector of channels, or of two vectors: those of a row of taps.
    @usableFromInline
    struct FloatTaps<V: FloatVectors> {
        @usableFromInline
        let taps: RegisterArray<FloatSums<V>>

        /// - channels: floats from a tap to the next.
        @export(implementation) @inline(always)
        init(_ vectors: Int, _ p: UnsafePointer<Float>, _ channels: Int) {
            taps = RegisterArray(3) { FloatSums(vectors, UnsafeRawPointer(p + $0 &* channels)) }
        }

        /// Adds the products of the pixels below the taps to sums of outputs that are `step` floats apart in the input.
        @export(implementation) @inline(always)
        func add(
            _ count: Int, _ sums: inout RegisterArray<V.Floats>, _ p: UnsafePointer<Float>, _ step: Int, _ channels: Int
        ) {
            sums.update(count) { $0 = V.multiplyAdd($0, V.load(p + $1 &* step), taps[0].vectors[0]) }
            sums.update(count) { $0 = V.multiplyAdd($0, V.load(p + (channels &+ $1 &* step)), taps[1].vectors[0]) }
            sums.update(count) { $0 = V.multiplyAdd($0, V.load(p + (2 &* channels &+ $1 &* step)), taps[2].vectors[0]) }
        }
    }

    /// The nine weights of channels, which stay in registers where there are enough, and their bias.
    @usableFromInline
    struct FloatTaps3x3<V: FloatVectors> {
        @usableFromInline
        let top, middle, bottom: FloatTaps<V>
        @usableFromInline
        let bias: FloatSums<V>

        @export(implementation) @inline(always)
        init(_ vectors: Int, _ p: UnsafePointer<Float>, _ channels: Int, _ bias: UnsafePointer<Float>) {
            top = FloatTaps(vectors, p, channels)
            middle = FloatTaps(vectors, p + 3 &* channels, channels)
            bottom = FloatTaps(vectors, p + 6 &* channels, channels)
            self.bias = FloatSums(vectors, UnsafeRawPointer(bias))
        }

        /// Writes `count` neighbouring outputs of a vector of channels.
        @export(implementation) @inline(always)
        func put(
            _ count: Int, _ stride: Int, _ p: UnsafePointer<Float>, _ inStride: Int, _ channels: Int,
            _ out: UnsafeMutablePointer<Float>
        ) {
            var sums = RegisterArray(repeating: bias.vectors[0])
            let step = stride &* channels
            top.add(count, &sums, p, step, channels)
            middle.add(count, &sums, p + inStride, step, channels)
            bottom.add(count, &sums, p + 2 &* inStride, step, channels)
            sums.forEach(count) { V.store(V.relu6($0), UnsafeMutableRawPointer(out + $1 &* channels)) }
        }

        /// A row of outputs of a vector of channels.
        @export(implementation) @inline(always)
        func putRow(
            _ stride: Int, _ source: UnsafePointer<Float>, _ inStride: Int, _ width: Int, _ channels: Int,
            _ out: UnsafeMutablePointer<Float>
        ) {
            var (p, q, left) = (source, out, width)
            while left > 0 {
                let count = left < 4 ? 1 : 4
                if count == 4 {
                    put(4, stride, p, inStride, channels, q)
                } else {
                    put(1, stride, p, inStride, channels, q)
                }
                p += count &* stride &* channels
                q += count &* channels
                left &-= count
            }
        }
    }

    extension FloatVectors {
        /// See `FloatKernels.Depthwise3x3`. Row by row, and within a row one vector of channels at a time, so that three
        /// input rows stay in the L1 cache and the weights in registers.
        @export(implementation) @inline(always)
        public static func depthwise3x3(
            _ input: UnsafePointer<Float>, _ inStride: Int, _ stride: Int,
            _ rows: Int, _ width: Int, _ channels: Int,
            _ weights: UnsafePointer<Float>, _ bias: UnsafePointer<Float>,
            _ out: UnsafeMutablePointer<Float>, _ outStride: Int
        ) {
            var y = 0
            while y < rows {
                let source = input + stride &* y &* inStride
                let target = out + y &* outStride
                var c = 0
                while c < channels {
                    let taps = FloatTaps3x3<Self>(1, weights + c, channels, bias + c)
                    if stride == 1 {
                        taps.putRow(1, source + c, inStride, width, channels, target + c)
                    } else {
                        taps.putRow(2, source + c, inStride, width, channels, target + c)
                    }
                    c &+= laneCount
                }
                y &+= 1
            }
        }

        /// See `FloatKernels.Depthwise7x7`.
        @export(implementation) @inline(always)
        public static func depthwise7x7(
            _ input: UnsafePointer<Float>, _ channels: Int,
            _ weights: UnsafePointer<Float>, _ bias: UnsafePointer<Float>, _ out: UnsafeMutablePointer<Float>
        ) {
            var c = 0
            while c < channels {
                var (p, w) = (input + c, weights + c)
                let first = multiplyAdd(load(bias + c), load(p), load(w))
                var sums = RegisterArray(4) { $0 == 0 ? first : zeros }
                p += channels
                w += channels
                var group = 0
                while group < 12 {
                    sums.update(4) { $0 = multiplyAdd($0, load(p + $1 &* channels), load(w + $1 &* channels)) }
                    p += 4 &* channels
                    w += 4 &* channels
                    group &+= 1
                }
                let all = sum(sum(sums[0], sums[1]), sum(sums[2], sums[3]))
                store(relu6(all), UnsafeMutableRawPointer(out + c))
                c &+= laneCount
            }
        }

        // MARK: Stem

        /// See `FloatKernels.Stem`. Bytes are converted to floats in memory for sixteen output pixels at a time and
        /// broadcast from there.
        @export(implementation) @inline(always)
        public static func stem(
            _ frame: UnsafePointer<UInt8>, _ weights: UnsafePointer<Float>, _ bias: UnsafePointer<Float>,
            _ out: UnsafeMutablePointer<Float>, _ outStride: Int
        ) {
            // A row has the left neighbour of sixteen output pixels and, from a vector's boundary on, their 32 input pixels.
            let rowBytes = bytes &+ 128
            withUnsafeTemporaryAllocation(byteCount: 3 &* rowBytes, alignment: 16) { buffer in
                let rows = buffer.baseAddress.unsafelyUnwrapped
                let taps = FloatTaps3x3<Self>(16 / laneCount, weights, 16, bias)
                let scale = repeating(1 / 255)
                var y = 0
                while y < 112 {
                    let middle = UnsafeRawPointer(frame + 2 &* y &* 224)
                    // The row above the first is padding: any row, scaled by 0.
                    let above = y == 0 ? middle : middle - 224
                    let aboveScale = y == 0 ? zeros : scale
                    var target = UnsafeMutableRawPointer(out + y &* outStride)
                    var at = 0
                    while at < 224 {
                        fillStemRow(rows, above + at, aboveScale, at == 0)
                        fillStemRow(rows + rowBytes, middle + at, scale, at == 0)
                        fillStemRow(rows + 2 &* rowBytes, middle + (at &+ 224), scale, at == 0)
                        var p = UnsafeRawPointer(rows + (bytes &- 4))
                        var group = 0
                        while group < 4 {
                            putStemPixels(taps, p, rowBytes, target)
                            p += 32
                            target += 256
                            group &+= 1
                        }
                        at &+= 32
                    }
                    y &+= 1
                }
            }
        }

        /// The left neighbour is the last pixel of the sixteen output pixels before, or 0 outside the frame.
        @export(implementation) @inline(always)
        static func fillStemRow(
            _ row: UnsafeMutableRawPointer, _ frame: UnsafeRawPointer, _ scale: Floats, _ isFirst: Bool
        ) {
            let before = isFirst ? 0 : (row + (bytes &+ 124)).load(as: Float.self)
            (row + (bytes &- 4)).storeBytes(of: before, as: Float.self)
            var k = 0
            while k < 32 {
                store(product(floats(ofBytes: frame + k), scale), row + (bytes &+ 4 &* k))
                k &+= laneCount
            }
        }

        /// Four output pixels of sixteen channels; `p` is the left tap of the first, in the row above.
        @export(implementation) @inline(always)
        static func putStemPixels(
            _ taps: FloatTaps3x3<Self>, _ p: UnsafeRawPointer, _ rowBytes: Int, _ out: UnsafeMutableRawPointer
        ) {
            let vectors = 16 / laneCount
            var sums = RegisterArray(repeating: taps.bias)

            @inline(always)
            func add(_ p: UnsafeRawPointer, _ row: FloatTaps<Self>) {
                sums.update(4) { $0.add(vectors, p + 8 &* $1, row.taps[0]) }
                sums.update(4) { $0.add(vectors, p + (8 &* $1 &+ 4), row.taps[1]) }
                sums.update(4) { $0.add(vectors, p + (8 &* $1 &+ 8), row.taps[2]) }
            }
            add(p, taps.top)
            add(p + rowBytes, taps.middle)
            add(p + 2 &* rowBytes, taps.bottom)
            sums.forEach(4) { $0.putReLU6(vectors, out + 64 &* $1) }
        }

        // MARK: Epilogue

        /// See `FloatKernels.BiasReLU6`.
        @export(implementation) @inline(always)
        public static func biasReLU6(
            _ values: UnsafePointer<Float>, _ rows: Int, _ columns: Int, _ bias: UnsafePointer<Float>,
            _ out: UnsafeMutablePointer<Float>
        ) {
            var (p, q) = (values, out)
            var left = rows
            while left > 0 {
                var n = 0
                while n < columns {
                    let end = n &+ 16
                    while n < end {
                        store(relu6(sum(load(p + n), load(bias + n))), UnsafeMutableRawPointer(q + n))
                        n &+= laneCount
                    }
                }
                p += columns
                q += columns
                left &-= 1
            }
        }
    }
#endif
