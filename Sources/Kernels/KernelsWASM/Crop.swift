#if arch(wasm32)
    import CWasmSIMD
    package import KernelInterface

    // Four pixels at a time, whose positions and shares are lanes of vectors.
    //
    // Packed pixels: a pixel's two loads, of its upper and its lower neighbours, are widened and interleaved, so that
    // two products give the exact sums of its four channels.
    //
    // Planes: a vector holds four pixels, one a lane. Each load of a pixel (two rows of luma, two of chroma) reads both
    // columns, and one product mixes them. Two neighbouring columns, or rows, often have one chroma sample. Then the
    // share of the second column is added to that of the first, and what is read for it has no influence.
    //
    // This is done if all four pixels lie inside the limits, with columns and rows to spare for the loads. Otherwise each
    // of the four stored pixels of an output is clamped to the limits separately.

    extension SIMD128Tier {
        @export(interface) @inline(never)
        package static func cropKernels() -> CropKernels {
            CropKernels(packed: cropPackedLine, planar: cropPlanarLine)
        }
    }

    /// Four neighbouring pixels of a line, a lane each.
    private struct Places {
        private(set) var x, y: Vector
        private let stepX, stepY: Vector

        @inline(always)
        init(_ x: Int32, _ y: Int32, _ stepX: Int32, _ stepY: Int32) {
            let index = Vector(0, 1, 2, 3)
            self.x = wasm_i32x4_add(wasm_i32x4_splat(x &+ 1024), wasm_i32x4_mul(index, wasm_i32x4_splat(stepX)))
            self.y = wasm_i32x4_add(wasm_i32x4_splat(y &+ 1024), wasm_i32x4_mul(index, wasm_i32x4_splat(stepY)))
            self.stepX = wasm_i32x4_splat(4 &* stepX)
            self.stepY = wasm_i32x4_splat(4 &* stepY)
        }

        @inline(always)
        mutating func advance() { (x, y) = (wasm_i32x4_add(x, stepX), wasm_i32x4_add(y, stepY)) }

        @inline(always)
        var columns: Vector { wasm_i32x4_shr(x, 16) }

        @inline(always)
        var rows: Vector { wasm_i32x4_shr(y, 16) }

        /// Whether the first and the last pixel, and so all, are within the limits with one row below them and `columns`
        /// columns after them, up to `last`.
        @inline(always)
        func areWithin(_ limits: CropLimits, columns: Int, _ last: Int) -> Bool {
            limits.contain(x[0], y[0], rows: 1, columns: columns, last)
                && limits.contain(x[3], y[3], rows: 1, columns: columns, last)
        }
    }

    /// The shares of the four stored pixels that each pixel is mixed from, in 1/1024.
    private struct Shares {
        let topLeft, topRight, bottomLeft, bottomRight: Vector

        @inline(always)
        init(_ places: Places) {
            // Bits 11...15.
            let across = wasm_u32x4_shr(wasm_i32x4_shl(places.x, 16), 27)
            let down = wasm_u32x4_shr(wasm_i32x4_shl(places.y, 16), 27)
            // Values below 2^16: the product of pairs is that of the lanes.
            bottomRight = wasm_i32x4_dot_i16x8(across, down)
            topRight = wasm_i32x4_sub(wasm_i32x4_shl(across, 5), bottomRight)
            bottomLeft = wasm_i32x4_sub(wasm_i32x4_shl(down, 5), bottomRight)
            topLeft = wasm_i32x4_sub(
                wasm_i32x4_sub(wasm_i32x4_splat(1024), wasm_i32x4_shl(across, 5)), bottomLeft)
        }
    }

    /// Two values of 0..<65536 in each lane.
    @inline(always)
    private func joined(_ low: Vector, _ high: Vector) -> Vector { wasm_v128_or(low, wasm_i32x4_shl(high, 16)) }

    /// Stores the first `count` of four pixels, whose bytes are the first twelve.
    @inline(always)
    private func storePixels(_ bytes: Vector, _ count: Int, _ rgb: UnsafeMutablePointer<UInt8>) {
        if count < 4 {
            store(bytes, first: 3 &* count, rgb)
            return
        }
        let p = UnsafeMutableRawPointer(rgb)
        p.storeBytes(of: unsafeBitCast(bytes, to: SIMD2<UInt64>.self)[0], as: UInt64.self)
        p.storeBytes(of: word(bytes, 2), toByteOffset: 8, as: Int32.self)
    }

    /// See `CropKernels.Packed`.
    @c(gk_croppacked_simd128) @export(interface) @inline(never)
    func cropPackedLine(
        _ pixels: UnsafePointer<UInt8>, _ bytesPerRow: Int, _ limits: UnsafePointer<Int32>, _ red: Int, _ x: Int32,
        _ y: Int32, _ stepX: Int32, _ stepY: Int32, _ count: Int, _ rgb: UnsafeMutablePointer<UInt8>
    ) {
        let limits = CropLimits(limits)
        let pixels = UnsafeRawPointer(pixels)
        let order: SIMD16<UInt8> =
            red == 0
            ? SIMD16(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 255, 255, 255, 255)
            : SIMD16(2, 1, 0, 6, 5, 4, 10, 9, 8, 14, 13, 12, 255, 255, 255, 255)
        let rowBytes = wasm_i32x4_splat(Int32(truncatingIfNeeded: bytesPerRow))
        let half = wasm_i32x4_splat(512)
        var places = Places(x, y, stepX, stepY)
        var done = 0
        while done < count {
            let shares = Shares(places)
            let lefts = joined(shares.topLeft, shares.bottomLeft)
            let rights = joined(shares.topRight, shares.bottomRight)

            /// - top, bottom: two pixels each, as words.
            @inline(always)
            func mixed(_ top: Vector, _ bottom: Vector, _ lane: Int) -> Vector {
                let left = dot(half, lowWordPairs(top, bottom), repeated(lefts, lane))
                return wasm_i32x4_shr(dot(left, highWordPairs(top, bottom), repeated(rights, lane)), 10)
            }
            let all: Vector
            if done &+ 4 <= count, places.areWithin(limits, columns: 1, limits.right) {
                let offsets = wasm_i32x4_add(
                    wasm_i32x4_mul(places.rows, rowBytes), wasm_i32x4_shl(places.columns, 2))
                @inline(always) func near(_ lane: Int) -> Vector {
                    let top = pixels + Int(offsets[lane])
                    return mixed(loadWords(top), loadWords(top + bytesPerRow), lane)
                }
                all = bytes(near(0), near(1), near(2), near(3))
            } else {
                @inline(always) func anywhere(_ lane: Int) -> Vector {
                    let (column, row) = (Int(places.columns[lane]), Int(places.rows[lane]))
                    let (left, right) = (limits.column(column) &* 4, limits.column(column &+ 1) &* 4)
                    @inline(always) func pair(_ row: Int) -> Vector {
                        let start = pixels + row &* bytesPerRow
                        let two = Vector(
                            (start + left).loadUnaligned(as: Int32.self),
                            (start + right).loadUnaligned(as: Int32.self), 0, 0)
                        return wasm_u16x8_extend_low_u8x16(two)
                    }
                    return mixed(pair(limits.row(row)), pair(limits.row(row &+ 1)), lane)
                }
                all = bytes(anywhere(0), anywhere(1), anywhere(2), anywhere(3))
            }
            storePixels(picked(all, order), count &- done, rgb + 3 &* done)
            places.advance()
            done &+= 4
        }
    }

    /// How a frame stores chroma, of which two rows share a row.
    private enum Chroma {
        /// Blue and red side by side, two bytes a sample: NV12, and NV21 with red first.
        case interleaved(redFirst: Bool)
        /// Blue and red in planes of their own, a byte a sample: I420.
        case planes
        /// All else, pixel by pixel.
        case other

        @inline(always)
        init(_ frame: PlanarFrame) {
            switch (frame.lumaStep, frame.chromaStep, frame.rowShift) {
            case (1, 1, 1): self = .planes
            case (1, 2, 1) where frame.red == frame.blue + 1: self = .interleaved(redFirst: false)
            case (1, 2, 1) where frame.blue == frame.red + 1: self = .interleaved(redFirst: true)
            default: self = .other
            }
        }
    }

    /// Two neighbouring bytes at each of four offsets, as words.
    @inline(always)
    private func pairs(_ base: UnsafeRawPointer, _ offsets: Vector) -> Vector {
        @inline(always) func pair(_ lane: Int) -> UInt16 {
            (base + Int(offsets[lane])).loadUnaligned(as: UInt16.self)
        }
        let four = SIMD8<UInt16>(pair(0), pair(1), pair(2), pair(3), 0, 0, 0, 0)
        return wasm_u16x8_extend_low_u8x16(unsafeBitCast(four, to: Vector.self))
    }

    /// The first and the third, and the second and the fourth of four neighbouring bytes at each of four offsets, as
    /// words.
    @inline(always)
    private func alternatePairs(_ base: UnsafeRawPointer, _ offsets: Vector) -> (Vector, Vector) {
        @inline(always) func four(_ lane: Int) -> Int32 {
            (base + Int(offsets[lane])).loadUnaligned(as: Int32.self)
        }
        let words = Vector(four(0), four(1), four(2), four(3))
        return (wasm_u16x8_shr(wasm_i16x8_shl(words, 8), 8), wasm_u16x8_shr(words, 8))
    }

    /// Makes rgb of red, green and blue of four pixels, a lane each.
    ///
    /// What is subtracted from luma and chroma, times the matrix, is part of what each sum begins with.
    private struct Colours {
        private let red, blue, green, greenRed: Vector
        private let redStart, greenStart, blueStart: Vector

        @inline(always)
        init(_ matrix: UnsafePointer<Int32>) {
            red = wordPair(matrix[0], matrix[1])
            blue = wordPair(matrix[0], matrix[4])
            green = wordPair(matrix[0], 0 &- matrix[2])
            greenRed = wordPair(0 &- matrix[3], 0)
            let start = 524_288 &- matrix[5] &* matrix[0]
            redStart = wasm_i32x4_splat(start &- 16_384 &* matrix[1])
            greenStart = wasm_i32x4_splat(start &+ 16_384 &* (matrix[2] &+ matrix[3]))
            blueStart = wasm_i32x4_splat(start &- 16_384 &* matrix[4])
        }

        /// Twelve bytes in the order of the pixels, from sums of luma and chroma, 0..<2^18.
        @inline(always)
        func bytes(_ levels: Vector, _ blues: Vector, _ reds: Vector) -> Vector {
            let (level, reds) = (wasm_i32x4_shr(levels, 3), wasm_i32x4_shr(reds, 3))
            let withRed = joined(level, reds)
            let withBlue = joined(level, wasm_i32x4_shr(blues, 3))
            let r = wasm_i32x4_shr(dot(redStart, withRed, red), 20)
            let g = wasm_i32x4_shr(dot(dot(greenStart, withBlue, green), reds, greenRed), 20)
            let b = wasm_i32x4_shr(dot(blueStart, withBlue, blue), 20)
            return picked(
                KernelsWASM.bytes(r, g, b, b),
                SIMD16(0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11, 255, 255, 255, 255))
        }
    }

    /// A frame in planes, as `CropKernels.Planar` is given it.
    private struct PlanarFrame {
        let luma: UnsafeRawPointer
        let bytesPerRow, lumaStep: Int
        let blue, red: UnsafeRawPointer
        let chromaBytesPerRow, chromaStep, rowShift: Int
        let last: Int
        let limits: CropLimits

        /// Luma, blue and red of a stored pixel, a lane each.
        @inline(always)
        func pixel(_ column: Int, _ row: Int) -> Vector {
            let sample = column &>> 1 < last ? column &>> 1 : last
            let chroma = (row &>> rowShift) &* chromaBytesPerRow &+ sample &* chromaStep
            return Vector(
                Int32((luma + (row &* bytesPerRow &+ column &* lumaStep)).load(as: UInt8.self)),
                Int32((blue + chroma).load(as: UInt8.self)), Int32((red + chroma).load(as: UInt8.self)), 0)
        }

        /// The sums of a pixel; each of the four that it is mixed from is clamped to the limits.
        @inline(always)
        func sums(_ x: Int32, _ y: Int32, _ shares: Shares, _ lane: Int) -> Vector {
            let (column, row) = (Int(x &>> 16), Int(y &>> 16))
            let (left, right) = (limits.column(column), limits.column(column &+ 1))
            let (top, bottom) = (limits.row(row), limits.row(row &+ 1))
            let upper =
                pixel(left, top) &* repeated(shares.topLeft, lane)
                &+ pixel(right, top) &* repeated(shares.topRight, lane)
            return upper &+ pixel(left, bottom) &* repeated(shares.bottomLeft, lane)
                &+ pixel(right, bottom) &* repeated(shares.bottomRight, lane)
        }
    }

    /// See `CropKernels.Planar`.
    @c(gk_cropplanar_simd128) @export(interface) @inline(never)
    func cropPlanarLine(
        _ luma: UnsafePointer<UInt8>, _ bytesPerRow: Int, _ lumaStep: Int, _ blue: UnsafePointer<UInt8>,
        _ red: UnsafePointer<UInt8>, _ chromaBytesPerRow: Int, _ chromaStep: Int, _ rowShift: Int,
        _ matrix: UnsafePointer<Int32>, _ limits: UnsafePointer<Int32>, _ x: Int32, _ y: Int32, _ stepX: Int32,
        _ stepY: Int32, _ count: Int, _ rgb: UnsafeMutablePointer<UInt8>
    ) {
        let frame = PlanarFrame(
            luma: UnsafeRawPointer(luma), bytesPerRow: bytesPerRow, lumaStep: lumaStep, blue: UnsafeRawPointer(blue),
            red: UnsafeRawPointer(red), chromaBytesPerRow: chromaBytesPerRow, chromaStep: chromaStep,
            rowShift: rowShift, last: Int(matrix[6]), limits: CropLimits(limits))
        let colours = Colours(matrix)
        let places = Places(x, y, stepX, stepY)
        switch Chroma(frame) {
        case .interleaved(redFirst: false):
            frame.put(colours, places, count, rgb) { frame, rows, samples in
                alternatePairs(frame.blue, wasm_i32x4_add(rows, wasm_i32x4_shl(samples, 1)))
            }
        case .interleaved(redFirst: true):
            frame.put(colours, places, count, rgb) { frame, rows, samples in
                let (reds, blues) = alternatePairs(frame.red, wasm_i32x4_add(rows, wasm_i32x4_shl(samples, 1)))
                return (blues, reds)
            }
        case .planes:
            frame.put(colours, places, count, rgb) { frame, rows, samples in
                let offsets = wasm_i32x4_add(rows, samples)
                return (pairs(frame.blue, offsets), pairs(frame.red, offsets))
            }
        case .other: frame.putAnywhere(colours, places, 0, count, rgb)
        }
    }

    extension PlanarFrame {
        /// Makes a line.
        /// - chroma: blue and red of two neighbouring samples, as words, in four rows whose offsets are in bytes.
        @inline(always)
        func put(
            _ colours: Colours, _ first: Places, _ count: Int, _ rgb: UnsafeMutablePointer<UInt8>,
            _ chroma: (_ frame: PlanarFrame, _ rows: Vector, _ samples: Vector) -> (blues: Vector, reds: Vector)
        ) {
            let rowBytes = wasm_i32x4_splat(Int32(truncatingIfNeeded: bytesPerRow))
            let chromaRowBytes = wasm_i32x4_splat(Int32(truncatingIfNeeded: chromaBytesPerRow))
            // Each load of chroma reads the sample of two columns further on.
            let right = limits.right < 2 &* last &+ 1 ? limits.right : 2 &* last &+ 1
            var places = first
            var done = 0
            while done < count {
                guard done &+ 4 <= count, places.areWithin(limits, columns: 2, right) else {
                    putAnywhere(colours, places, done, done &+ 4 < count ? done &+ 4 : count, rgb)
                    places.advance()
                    done &+= 4
                    continue
                }
                let shares = Shares(places)
                let (columns, rows) = (places.columns, places.rows)
                let offsets = wasm_i32x4_add(wasm_i32x4_mul(rows, rowBytes), columns)
                let levels = wasm_i32x4_add(
                    wasm_i32x4_dot_i16x8(pairs(luma, offsets), joined(shares.topLeft, shares.topRight)),
                    wasm_i32x4_dot_i16x8(
                        pairs(luma + bytesPerRow, offsets), joined(shares.bottomLeft, shares.bottomRight)))

                let samples = wasm_i32x4_shr(columns, 1)
                let upperRow = wasm_i32x4_shr(rows, 1)
                let lowerRow = wasm_i32x4_sub(rows, upperRow)
                // All ones where the second column has a sample of its own.
                let isOwn = wasm_i32x4_shr(wasm_i32x4_shl(columns, 31), 31)
                @inline(always) func chromaShares(_ left: Vector, _ right: Vector) -> Vector {
                    let own = wasm_v128_and(right, isOwn)
                    return joined(wasm_i32x4_sub(wasm_i32x4_add(left, right), own), own)
                }
                let above = chroma(self, wasm_i32x4_mul(upperRow, chromaRowBytes), samples)
                let below = chroma(self, wasm_i32x4_mul(lowerRow, chromaRowBytes), samples)
                let aboveShares = chromaShares(shares.topLeft, shares.topRight)
                let belowShares = chromaShares(shares.bottomLeft, shares.bottomRight)
                let blues = wasm_i32x4_add(
                    wasm_i32x4_dot_i16x8(above.blues, aboveShares), wasm_i32x4_dot_i16x8(below.blues, belowShares))
                let reds = wasm_i32x4_add(
                    wasm_i32x4_dot_i16x8(above.reds, aboveShares), wasm_i32x4_dot_i16x8(below.reds, belowShares))
                storePixels(colours.bytes(levels, blues, reds), 4, rgb + 3 &* done)
                places.advance()
                done &+= 4
            }
        }

        /// Makes pixels `start`..<`end`, of which the first is the first of `places`.
        @inline(never)
        func putAnywhere(
            _ colours: Colours, _ places: Places, _ start: Int, _ end: Int, _ rgb: UnsafeMutablePointer<UInt8>
        ) {
            var places = places
            var done = start
            while done < end {
                let shares = Shares(places)
                @inline(always) func sums(_ lane: Int) -> Vector {
                    self.sums(places.x[lane], places.y[lane], shares, lane)
                }
                let (a, b, c, d) = (sums(0), sums(1), sums(2), sums(3))
                let all = colours.bytes(
                    Vector(a[0], b[0], c[0], d[0]), Vector(a[1], b[1], c[1], d[1]), Vector(a[2], b[2], c[2], d[2]))
                storePixels(all, end &- done, rgb + 3 &* done)
                places.advance()
                done &+= 4
            }
        }
    }
#endif
