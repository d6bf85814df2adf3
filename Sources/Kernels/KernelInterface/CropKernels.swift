/// The kernels of a rotated crop, one output row at a time: red, green and blue at even steps along a straight line
/// through a frame, each pixel interpolated between the four nearest stored ones.
///
/// Every tier gives the same bits: each operation is exact integer arithmetic with one stated rounding. With `a >> n`
/// an arithmetic shift, pixel i is at
///
///     X = x + i * stepX + 1024,  Y = y + i * stepY + 1024                       (1/65536 of a pixel; no sum overflows)
///     c = X >> 16,  f = (X >> 11) & 31,  r = Y >> 16,  g = (Y >> 11) & 31        (rounded to 1/32 of a pixel)
///     mix(s) = (32 - f) * ((32 - g) * s(c, r) + g * s(c, r + 1)) + f * ((32 - g) * s(c + 1, r) + g * s(c + 1, r + 1))
///
/// where a column or row outside the limits is replaced by the nearest limit. Integer positions are pixel centres. This
/// is OpenCV's `warpPerspective` with `INTER_LINEAR` and `BORDER_REPLICATE`, whose precision is 1/32.
///
/// Limits are four Int32: first column, first row, last column, last row, all in the frame. The caller proves every
/// range stated here; nothing is checked.
package struct CropKernels: Sendable {
    /// A row from pixels of four bytes: out = (mix(byte) + 512) >> 10.
    /// - pixels: the frame's first. All pixels within the limits are readable, any alignment.
    /// - bytesPerRow: from one row to the next.
    /// - red: the byte of a pixel that is red: 0 (then blue is byte 2) or 2 (then blue is byte 0). Byte 1 is green.
    /// - x, y, stepX, stepY: see above.
    /// - count: pixels, at least 0.
    /// - rgb: `3 * count` bytes, red, green, blue in turn; only these are written.
    package typealias Packed =
        @Sendable @convention(c) (
            _ pixels: UnsafePointer<UInt8>, _ bytesPerRow: Int, _ limits: UnsafePointer<Int32>, _ red: Int, _ x: Int32,
            _ y: Int32, _ stepX: Int32, _ stepY: Int32, _ count: Int, _ rgb: UnsafeMutablePointer<UInt8>
        ) -> Void

    /// A row from luma and chroma. With L = mix(luma) >> 3, B = (mix(blue) >> 3) - 16384 and R likewise of red:
    ///
    ///     l = (L - black) * m[0] + 524288
    ///     red = clamp((l + R * m[1]) >> 20, 0...255)
    ///     green = clamp((l - B * m[2] - R * m[3]) >> 20, 0...255)
    ///     blue = clamp((l + B * m[4]) >> 20, 0...255)
    ///
    /// A pixel uses the chroma sample whose area contains it: column min(c >> 1, last), row r >> `rowShift`.
    /// - luma: the frame's first sample; samples lie `lumaStep` bytes apart, 1 or 2.
    /// - blue, red: the first samples of chroma, `chromaStep` bytes apart: 0, 1, 2 or 4. Every sample of a pixel within
    ///   the limits is readable, any alignment.
    /// - chromaBytesPerRow: from one row to the next; 0 where all pixels have the same sample.
    /// - rowShift: 1 where two rows share chroma, or 0.
    /// - matrix: seven Int32: m[0] to m[4], each 0...32767; black, 0...2048; last, 0 or more.
    package typealias Planar =
        @Sendable @convention(c) (
            _ luma: UnsafePointer<UInt8>, _ bytesPerRow: Int, _ lumaStep: Int, _ blue: UnsafePointer<UInt8>,
            _ red: UnsafePointer<UInt8>, _ chromaBytesPerRow: Int, _ chromaStep: Int, _ rowShift: Int,
            _ matrix: UnsafePointer<Int32>, _ limits: UnsafePointer<Int32>, _ x: Int32, _ y: Int32, _ stepX: Int32,
            _ stepY: Int32, _ count: Int, _ rgb: UnsafeMutablePointer<UInt8>
        ) -> Void

    package var packed: Packed
    package var planar: Planar

    package init(packed: @escaping Packed, planar: @escaping Planar) {
        self.packed = packed
        self.planar = planar
    }
}

/// The limits of a crop, as the kernels of every tier read them: first and last column and row.
package struct CropLimits {
    package let left, top, right, bottom: Int

    /// - limits: as `CropKernels` states them.
    @inlinable @inline(__always)
    package init(_ limits: UnsafePointer<Int32>) {
        left = Int(limits[0])
        top = Int(limits[1])
        right = Int(limits[2])
        bottom = Int(limits[3])
    }

    @inlinable @inline(__always)
    package static func held(_ place: Int, _ first: Int, _ last: Int) -> Int {
        let low = place < first ? first : place
        return low > last ? last : low
    }

    /// The column within the limits that is nearest to one.
    @inlinable @inline(__always)
    package func column(_ place: Int) -> Int { Self.held(place, left, right) }

    /// The row within the limits that is nearest to one.
    @inlinable @inline(__always)
    package func row(_ place: Int) -> Int { Self.held(place, top, bottom) }

    /// Whether a position, so many rows below it and so many columns after it, up to `last`, are within the limits.
    @inlinable @inline(__always)
    package func contain(_ x: Int32, _ y: Int32, rows: Int, columns: Int, _ last: Int) -> Bool {
        let (column, row) = (Int(x &>> 16), Int(y &>> 16))
        return column >= left && column &+ columns <= last && row >= top && row &+ rows <= bottom
    }
}
