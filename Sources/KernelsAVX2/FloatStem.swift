#if arch(x86_64)
    import _Builtin_intrinsics.intel

    // The float32 stem and epilogue, one source for AVX2 and AVX-512 as FloatDepthwise.swift. How a pixel's sixteen
    // channels are computed is in each tier's Float.swift.

    extension FloatVector {
        @inline(__always) static var bytes: Int { 4 &* laneCount }
    }

    /// See `FloatKernels.Stem`. Bytes are converted to floats in memory for sixteen output pixels at a time and broadcast
    /// from there.
    @inline(__always)
    func stem(
        _ frame: UnsafePointer<UInt8>, _ weights: UnsafePointer<Float>, _ bias: UnsafePointer<Float>,
        _ out: UnsafeMutablePointer<Float>, _ outStride: Int
    ) {
        withUnsafeTemporaryAllocation(byteCount: 3 &* StemRow.bytes, alignment: 16) { buffer in
            let rows = buffer.baseAddress.unsafelyUnwrapped
            let w = FloatStemWeights(weights, bias)
            let scale = FloatVector(repeating: 1 / 255)
            var y = 0
            while y < 112 {
                let middle = UnsafeRawPointer(frame + 2 &* y &* 224)
                // The row above the first is padding: any row, scaled by 0.
                let above = y == 0 ? middle : middle - 224
                let aboveScale = y == 0 ? FloatVector.zeros : scale
                var target = out + y &* outStride
                var at = 0
                while at < 224 {
                    StemRow.fill(rows, above + at, aboveScale, at == 0)
                    StemRow.fill(rows + StemRow.bytes, middle + at, scale, at == 0)
                    StemRow.fill(rows + 2 &* StemRow.bytes, middle + (at &+ 224), scale, at == 0)
                    var p = UnsafeRawPointer(rows + StemRow.left)
                    var group = 0
                    while group < 4 {
                        w.fourPixels(p, target)
                        p += 32
                        target += 64
                        group &+= 1
                    }
                    at &+= 32
                }
                y &+= 1
            }
        }
    }

    @inline(__always)
    func relu6(_ v: FloatVector) -> FloatVector {
        minimum(maximum(v, FloatVector.zeros), FloatVector(repeating: 6))
    }

    /// Memory for 33 floats of a row: the left neighbour of sixteen output pixels and, from a vector's boundary on, their
    /// 32 input pixels.
    enum StemRow {
        @inline(__always) static var bytes: Int { FloatVector.bytes &+ 128 }
        @inline(__always) static var left: Int { FloatVector.bytes &- 4 }

        /// The left neighbour is the last pixel of the sixteen output pixels before, or 0 outside the frame.
        @inline(__always)
        static func fill(
            _ row: UnsafeMutableRawPointer, _ codes: UnsafeRawPointer, _ scale: FloatVector, _ isFirst: Bool
        ) {
            let before = isFirst ? 0 : (row + (bytes &- 4)).load(as: Float.self)
            (row + left).storeBytes(of: before, as: Float.self)
            var k = 0
            while k < 32 {
                let numbers = FloatVector(bytes: codes + k).multiplied(by: scale)
                (row + (FloatVector.bytes &+ 4 &* k)).storeBytes(of: numbers, as: FloatVector.self)
                k &+= FloatVector.laneCount
            }
        }
    }

    /// See `FloatKernels.BiasReLU6`.
    @inline(__always)
    func biasReLU6(
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
                    storeFloats(relu6(sum(floats(p + n), floats(bias + n))), q + n)
                    n &+= FloatVector.laneCount
                }
            }
            p += columns
            q += columns
            left &-= 1
        }
    }
#endif
