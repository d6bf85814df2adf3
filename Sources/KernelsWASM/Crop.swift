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

        @inline(__always)
        init(_ x: Int32, _ y: Int32, _ stepX: Int32, _ stepY: Int32) {
            let index = Vector(0, 1, 2, 3)
            self.x = wasm_i32x4_add(wasm_i32x4_splat(x &+ 1024), wasm_i32x4_mul(index, wasm_i32x4_splat(stepX)))
            self.y = wasm_i32x4_add(wasm_i32x4_splat(y &+ 1024), wasm_i32x4_mul(index, wasm_i32x4_splat(stepY)))
            self.stepX = wasm_i32x4_splat(4 &* stepX)
            self.stepY = wasm_i32x4_splat(4 &* stepY)
        }

        @inline(__always)
        mutating func advance() { (x, y) = (wasm_i32x4_add(x, stepX), wasm_i32x4_add(y, stepY)) }

        @inline(__always)
        var columns: Vector { wasm_i32x4_shr(x, 16) }

        @inline(__always)
        var rows: Vector { wasm_i32x4_shr(y, 16) }

        /// Whether the first and the last pixel, and so all, are within the limits with one row below them and `columns`
        /// columns after them, up to `last`.
        @inline(__always)
        func areWithin(_ limits: CropLimits, columns: Int, _ last: Int) -> Bool {
            limits.hold(x[0], y[0], rows: 1, columns: columns, last)
                && limits.hold(x[3], y[3], rows: 1, columns: columns, last)
        }
    }

    /// The shares of the four stored pixels that each pixel is mixed from, in 1/1024.
    private struct Shares {
        let topLeft, topRight, bottomLeft, bottomRight: Vector

        @inline(__always)
        init(_ places: Places) {
            let mask = wasm_i32x4_splat(31)
            let across = wasm_v128_and(wasm_i32x4_shr(places.x, 11), mask)
            let down = wasm_v128_and(wasm_i32x4_shr(places.y, 11), mask)
            // Values below 2^16: the product of pairs is that of the lanes.
            bottomRight = wasm_i32x4_dot_i16x8(across, down)
            topRight = wasm_i32x4_sub(wasm_i32x4_shl(across, 5), bottomRight)
            bottomLeft = wasm_i32x4_sub(wasm_i32x4_shl(down, 5), bottomRight)
            topLeft = wasm_i32x4_sub(
                wasm_i32x4_sub(wasm_i32x4_splat(1024), wasm_i32x4_shl(across, 5)), bottomLeft)
        }
    }

    /// Two values of 0..<65536 in each lane.
    @inline(__always)
    private func joined(_ low: Vector, _ high: Vector) -> Vector { wasm_v128_or(low, wasm_i32x4_shl(high, 16)) }

    /// Stores the first `count` of four pixels, whose bytes are the first twelve.
    @inline(__always)
    private func storePixels(_ bytes: Vector, _ count: Int, _ codes: UnsafeMutablePointer<UInt8>) {
        if count < 4 {
            store(bytes, first: 3 &* count, codes)
            return
        }
        let p = UnsafeMutableRawPointer(codes)
        p.storeBytes(of: unsafeBitCast(bytes, to: SIMD2<UInt64>.self)[0], as: UInt64.self)
        p.storeBytes(of: word(bytes, 2), toByteOffset: 8, as: Int32.self)
    }

    /// See `CropKernels.Packed`.
    @c(gk_croppacked_simd128) @export(interface) @inline(never)
    func cropPackedLine(
        _ pixels: UnsafePointer<UInt8>, _ bytesPerRow: Int, _ limits: UnsafePointer<Int32>, _ red: Int, _ x: Int32,
        _ y: Int32, _ stepX: Int32, _ stepY: Int32, _ count: Int, _ codes: UnsafeMutablePointer<UInt8>
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
            @inline(__always)
            func mixed(_ top: Vector, _ bottom: Vector, _ lane: Int) -> Vector {
                let left = dot(half, lowWordPairs(top, bottom), repeated(lefts, lane))
                return wasm_i32x4_shr(dot(left, highWordPairs(top, bottom), repeated(rights, lane)), 10)
            }
            let all: Vector
            if done &+ 4 <= count, places.areWithin(limits, columns: 1, limits.right) {
                let offsets = wasm_i32x4_add(
                    wasm_i32x4_mul(places.rows, rowBytes), wasm_i32x4_shl(places.columns, 2))
                @inline(__always) func near(_ lane: Int) -> Vector {
                    let top = pixels + Int(offsets[lane])
                    return mixed(loadWords(top), loadWords(top + bytesPerRow), lane)
                }
                all = bytes(near(0), near(1), near(2), near(3))
            } else {
                @inline(__always) func anywhere(_ lane: Int) -> Vector {
                    let (column, row) = (Int(places.columns[lane]), Int(places.rows[lane]))
                    let (left, right) = (limits.column(column) &* 4, limits.column(column &+ 1) &* 4)
                    @inline(__always) func pair(_ row: Int) -> Vector {
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
            storePixels(picked(all, order), count &- done, codes + 3 &* done)
            places.advance()
            done &+= 4
        }
    }

    /// How a frame stores chroma.
    private enum Chroma {
        /// Blue and red side by side, two bytes a sample: NV12, and NV21 with red first.
        case interleaved(redFirst: Bool)
        /// Blue and red in planes of their own, a byte a sample: I420.
        case planes
        /// All else, pixel by pixel.
        case other

        @inline(__always)
        init(_ lumaStep: Int, _ chromaStep: Int, _ blue: UnsafeRawPointer, _ red: UnsafeRawPointer) {
            switch (lumaStep, chromaStep) {
            case (1, 1): self = .planes
            case (1, 2) where red == blue + 1: self = .interleaved(redFirst: false)
            case (1, 2) where blue == red + 1: self = .interleaved(redFirst: true)
            default: self = .other
            }
        }
    }

    /// Makes codes of red, green and blue of four pixels, a lane each.
    private struct Colours {
        private let red, blue, green, greenRed, black: Vector

        @inline(__always)
        init(_ matrix: UnsafePointer<Int32>) {
            red = wordPair(matrix[0], matrix[1])
            blue = wordPair(matrix[0], matrix[4])
            green = wordPair(matrix[0], 0 &- matrix[2])
            greenRed = wordPair(0 &- matrix[3], 0)
            black = wasm_i32x4_splat(matrix[5])
        }

        /// Twelve bytes in the order of the pixels, from sums of luma and chroma.
        @inline(__always)
        func bytes(_ levels: Vector, _ blues: Vector, _ reds: Vector) -> Vector {
            let middle = wasm_i32x4_splat(16_384)
            let mask = wasm_i32x4_splat(0xFFFF)
            let half = wasm_i32x4_splat(524_288)
            let luminance = wasm_v128_and(wasm_i32x4_sub(wasm_i32x4_shr(levels, 3), black), mask)
            let blues = wasm_i32x4_sub(wasm_i32x4_shr(blues, 3), middle)
            let reds = wasm_i32x4_sub(wasm_i32x4_shr(reds, 3), middle)
            let (withBlue, withRed) = (joined(luminance, blues), joined(luminance, reds))
            let r = wasm_i32x4_shr(dot(half, withRed, red), 20)
            let g = wasm_i32x4_shr(dot(dot(half, withBlue, green), reds, greenRed), 20)
            let b = wasm_i32x4_shr(dot(half, withBlue, blue), 20)
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
        @inline(__always)
        func pixel(_ column: Int, _ row: Int) -> Vector {
            let sample = column &>> 1 < last ? column &>> 1 : last
            let chroma = (row &>> rowShift) &* chromaBytesPerRow &+ sample &* chromaStep
            return Vector(
                Int32((luma + (row &* bytesPerRow &+ column &* lumaStep)).load(as: UInt8.self)),
                Int32((blue + chroma).load(as: UInt8.self)), Int32((red + chroma).load(as: UInt8.self)), 0)
        }

        /// The sums of a pixel; each of the four that it is mixed from is clamped to the limits.
        @inline(__always)
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
        _ stepY: Int32, _ count: Int, _ codes: UnsafeMutablePointer<UInt8>
    ) {
        let frame = PlanarFrame(
            luma: UnsafeRawPointer(luma), bytesPerRow: bytesPerRow, lumaStep: lumaStep, blue: UnsafeRawPointer(blue),
            red: UnsafeRawPointer(red), chromaBytesPerRow: chromaBytesPerRow, chromaStep: chromaStep,
            rowShift: rowShift, last: Int(matrix[6]), limits: CropLimits(limits))
        let colours = Colours(matrix)
        let places = Places(x, y, stepX, stepY)
        switch Chroma(lumaStep, chromaStep, frame.blue, frame.red) {
        case .interleaved(redFirst: false):
            // The bytes of two samples: blue, red, blue, red.
            frame.put(
                colours, places, count, codes,
                SIMD16(0, 255, 2, 255, 4, 255, 6, 255, 8, 255, 10, 255, 12, 255, 14, 255),
                SIMD16(1, 255, 3, 255, 5, 255, 7, 255, 9, 255, 11, 255, 13, 255, 15, 255)
            ) { frame, offset in (frame.blue + offset).loadUnaligned(as: Int32.self) }
        case .interleaved(redFirst: true):
            frame.put(
                colours, places, count, codes,
                SIMD16(1, 255, 3, 255, 5, 255, 7, 255, 9, 255, 11, 255, 13, 255, 15, 255),
                SIMD16(0, 255, 2, 255, 4, 255, 6, 255, 8, 255, 10, 255, 12, 255, 14, 255)
            ) { frame, offset in (frame.red + offset).loadUnaligned(as: Int32.self) }
        case .planes:
            // Blue, blue, red, red.
            frame.put(
                colours, places, count, codes, SIMD16(0, 255, 1, 255, 4, 255, 5, 255, 8, 255, 9, 255, 12, 255, 13, 255),
                SIMD16(2, 255, 3, 255, 6, 255, 7, 255, 10, 255, 11, 255, 14, 255, 15, 255)
            ) { frame, offset in
                let blues = UInt32((frame.blue + offset).loadUnaligned(as: UInt16.self))
                return Int32(bitPattern: blues | UInt32((frame.red + offset).loadUnaligned(as: UInt16.self)) &<< 16)
            }
        case .other: frame.putAnywhere(colours, places, 0, count, codes)
        }
    }

    extension PlanarFrame {
        /// Makes a line.
        /// - blues, reds: where those of two samples are among the four bytes of each pixel that `chroma` reads.
        @inline(__always)
        func put(
            _ colours: Colours, _ first: Places, _ count: Int, _ codes: UnsafeMutablePointer<UInt8>,
            _ blues: SIMD16<UInt8>, _ reds: SIMD16<UInt8>, _ chroma: (PlanarFrame, Int) -> Int32
        ) {
            let rowBytes = wasm_i32x4_splat(Int32(truncatingIfNeeded: bytesPerRow))
            let chromaRowBytes = wasm_i32x4_splat(Int32(truncatingIfNeeded: chromaBytesPerRow))
            // Loads of luma read three columns more, and those of chroma one sample more.
            let right = limits.right < 2 &* last &+ 1 ? limits.right : 2 &* last &+ 1
            let bytes = SIMD16<UInt8>(0, 255, 1, 255, 4, 255, 5, 255, 8, 255, 9, 255, 12, 255, 13, 255)
            let one = wasm_i32x4_splat(1)
            var places = first
            var done = 0
            while done < count {
                guard done &+ 4 <= count, places.areWithin(limits, columns: 3, right) else {
                    putAnywhere(colours, places, done, done &+ 4 < count ? done &+ 4 : count, codes)
                    places.advance()
                    done &+= 4
                    continue
                }
                let shares = Shares(places)
                let (columns, rows) = (places.columns, places.rows)
                let offsets = wasm_i32x4_add(wasm_i32x4_mul(rows, rowBytes), columns)
                @inline(__always) func four(_ value: (Int) -> Int32) -> Vector {
                    Vector(value(0), value(1), value(2), value(3))
                }
                let top = four { (luma + Int(offsets[$0])).loadUnaligned(as: Int32.self) }
                let bottom = four { (luma + (Int(offsets[$0]) &+ bytesPerRow)).loadUnaligned(as: Int32.self) }
                let levels = wasm_i32x4_add(
                    wasm_i32x4_dot_i16x8(picked(top, bytes), joined(shares.topLeft, shares.topRight)),
                    wasm_i32x4_dot_i16x8(picked(bottom, bytes), joined(shares.bottomLeft, shares.bottomRight)))

                let samples = wasm_i32x4_mul(
                    wasm_i32x4_shr(columns, 1), wasm_i32x4_splat(Int32(truncatingIfNeeded: chromaStep)))
                let shift = UInt32(truncatingIfNeeded: rowShift)
                let upper = wasm_i32x4_add(wasm_i32x4_mul(wasm_i32x4_shr(rows, shift), chromaRowBytes), samples)
                let lower = wasm_i32x4_add(
                    wasm_i32x4_mul(wasm_i32x4_shr(wasm_i32x4_add(rows, one), shift), chromaRowBytes), samples)
                // All ones where the second column has a sample of its own.
                let isOwn = wasm_i32x4_neg(wasm_v128_and(columns, one))
                @inline(__always) func chromaShares(_ left: Vector, _ right: Vector) -> Vector {
                    let own = wasm_v128_and(right, isOwn)
                    return joined(wasm_i32x4_sub(wasm_i32x4_add(left, right), own), own)
                }
                let above = four { chroma(self, Int(upper[$0])) }
                let below = four { chroma(self, Int(lower[$0])) }
                let aboveShares = chromaShares(shares.topLeft, shares.topRight)
                let belowShares = chromaShares(shares.bottomLeft, shares.bottomRight)
                let blueSums = wasm_i32x4_add(
                    wasm_i32x4_dot_i16x8(picked(above, blues), aboveShares),
                    wasm_i32x4_dot_i16x8(picked(below, blues), belowShares))
                let redSums = wasm_i32x4_add(
                    wasm_i32x4_dot_i16x8(picked(above, reds), aboveShares),
                    wasm_i32x4_dot_i16x8(picked(below, reds), belowShares))
                storePixels(colours.bytes(levels, blueSums, redSums), 4, codes + 3 &* done)
                places.advance()
                done &+= 4
            }
        }

        /// Makes pixels `start`..<`end`, of which the first is the first of `places`.
        @inline(never)
        func putAnywhere(
            _ colours: Colours, _ places: Places, _ start: Int, _ end: Int, _ codes: UnsafeMutablePointer<UInt8>
        ) {
            var places = places
            var done = start
            while done < end {
                let shares = Shares(places)
                @inline(__always) func sums(_ lane: Int) -> Vector {
                    self.sums(places.x[lane], places.y[lane], shares, lane)
                }
                let (a, b, c, d) = (sums(0), sums(1), sums(2), sums(3))
                let all = colours.bytes(
                    Vector(a[0], b[0], c[0], d[0]), Vector(a[1], b[1], c[1], d[1]), Vector(a[2], b[2], c[2], d[2]))
                storePixels(all, end &- done, codes + 3 &* done)
                places.advance()
                done &+= 4
            }
        }
    }
#endif
