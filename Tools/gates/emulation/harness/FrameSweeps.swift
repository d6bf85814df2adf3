import KernelInterface

/// A line through a frame, as the kernels of crops take it.
private struct CropLine {
    let limits: [Int32]
    let x, y, stepX, stepY: Int32
    let count: Int

    /// Within all of a frame or a part of it: a line from one point of the frame to another, often to an edge; a line
    /// that may leave it; or any line whose places 16 bits hold.
    init(_ width: Int, _ height: Int, _ count: Int, _ generator: inout SplitMix64) {
        self.count = count
        let (left, top) = (generator.below(width), generator.below(height))
        let (right, bottom) = (left + generator.below(width - left), top + generator.below(height - top))
        let isWhole = generator.below(4) > 0
        let limits = isWhole ? [0, 0, width - 1, height - 1] : [left, top, right, bottom]
        self.limits = limits.map { Int32($0) }

        func place(_ side: Int) -> Int {
            let last = (side - 1) * 65_536
            return [0, last, last - generator.below(3 * 65_536), generator.below(last + 1)][generator.below(4)]
        }
        switch generator.below(4) {
        case 0:
            let reach = 32_700 * 65_536
            let places = (0..<4).map { _ in Int64(generator.below(reach)) * (generator.below(2) == 0 ? 1 : -1) }
            (x, y) = (Int32(places[0]), Int32(places[1]))
            stepX = Int32((places[2] - places[0]) / Int64(count + 8))
            stepY = Int32((places[3] - places[1]) / Int64(count + 8))
        case 1:
            x = Int32(generator.below((width + 5) * 65_536) - 3 * 65_536)
            y = Int32(generator.below((height + 5) * 65_536) - 3 * 65_536)
            stepX = Int32(generator.below(200_001) - 100_000)
            stepY = generator.below(2) == 0 ? 0 : Int32(generator.below(200_001) - 100_000)
        default:
            let (x, y) = (place(width), place(height))
            (self.x, self.y) = (Int32(x), Int32(y))
            stepX = Int32((place(width) - x) / max(count, 1))
            stepY = Int32((place(height) - y) / max(count, 1))
        }
    }
}

/// How the planes of a frame lie.
private struct PlaneLayout {
    let lumaStep, chromaStep, rowShift: Int
    /// The first samples of blue and red: in the plane of luma (0), in the first plane of chroma (1) or in the second (2),
    /// and their bytes there.
    let blue, red: (plane: Int, start: Int)

    static let all = [
        PlaneLayout(lumaStep: 1, chromaStep: 2, rowShift: 1, blue: (1, 0), red: (1, 1)),  // NV12
        PlaneLayout(lumaStep: 1, chromaStep: 2, rowShift: 1, blue: (1, 1), red: (1, 0)),  // NV21
        PlaneLayout(lumaStep: 1, chromaStep: 1, rowShift: 1, blue: (1, 0), red: (2, 0)),  // I420
        PlaneLayout(lumaStep: 2, chromaStep: 4, rowShift: 0, blue: (0, 1), red: (0, 3)),  // YUYV
        PlaneLayout(lumaStep: 1, chromaStep: 0, rowShift: 1, blue: (1, 0), red: (2, 0)),  // gray
    ]
}

extension BaseSweeps {
    private static var counts: [Int] { [Int](0...17) + [24, 31, 40, 64, 224] }

    mutating func cropPacked() {
        for round in 0..<800 {
            let edge = nextEdge()
            let (width, height) = (generator.below(60) + 1, generator.below(30) + 1)
            let stride = 4 * width + [0, 1, 13][round % 3]
            let frame = bytes((height - 1) * stride + 4 * width, edge)
            let line = CropLine(width, height, Self.counts[round % Self.counts.count], &generator)
            for red in [0, 2] {
                let expected = Buffer(3 * line.count, edge)
                let found = Buffer(3 * line.count, edge)
                table(true).crop.packed(
                    frame.bytes, stride, line.limits, red, line.x, line.y, line.stepX, line.stepY, line.count,
                    expected.bytes)
                table(false).crop.packed(
                    frame.bytes, stride, line.limits, red, line.x, line.y, line.stepX &+ (sabotage ? 2048 : 0),
                    line.stepY, line.count, found.bytes)
                check(areEqual(expected, found), [width, height, round, red, line.count])
            }
        }
    }

    mutating func cropPlanar() {
        let matrices: [[Int32]] = [
            [9_539, 13_075, 3_209, 6_660, 16_525, 2_048], [8_192, 11_485, 2_819, 5_850, 14_516, 0],
            [32_767, 32_767, 32_767, 32_767, 32_767, 0],
        ]
        for (index, layout) in PlaneLayout.all.enumerated() {
            for round in 0..<600 {
                let edge = nextEdge()
                // A row of YUYV is an even number of pixels.
                let width = layout.lumaStep == 2 ? 2 * generator.below(30) + 2 : generator.below(60) + 1
                let height = generator.below(30) + 1
                let padding = [0, 1, 13][round % 3]
                let stride = layout.lumaStep * width + padding
                let (columns, rows) = ((width + 1) / 2, (height + 1) / 2)
                let chromaRow = layout.blue.plane == 0 ? stride : columns * layout.chromaStep + padding
                let chromaStride = layout.chromaStep == 0 ? 0 : chromaRow
                let chromaBytes = layout.chromaStep == 0 ? 1 : (rows - 1) * chromaStride + columns * layout.chromaStep
                let luma = bytes((height - 1) * stride + layout.lumaStep * width, edge)
                let first = bytes(chromaBytes, edge)
                let second = bytes(chromaBytes, edge)
                let planes = [luma.bytes, first.bytes, second.bytes]
                let (blue, red) = (
                    planes[layout.blue.plane] + layout.blue.start, planes[layout.red.plane] + layout.red.start
                )
                let line = CropLine(width, height, Self.counts[round % Self.counts.count], &generator)
                // A last column before the frame's holds back what is after it.
                let last = round % 4 == 0 ? columns / 2 : columns - 1
                let matrix = matrices[round % matrices.count] + [Int32(last)]
                let expected = Buffer(3 * line.count, edge)
                let found = Buffer(3 * line.count, edge)
                table(true).crop.planar(
                    luma.bytes, stride, layout.lumaStep, blue, red, chromaStride, layout.chromaStep, layout.rowShift,
                    matrix, line.limits, line.x, line.y, line.stepX, line.stepY, line.count, expected.bytes)
                table(false).crop.planar(
                    luma.bytes, stride, layout.lumaStep, blue, red, chromaStride, layout.chromaStep, layout.rowShift,
                    matrix, line.limits, line.x &+ (sabotage ? 2048 : 0), line.y, line.stepX, line.stepY, line.count,
                    found.bytes)
                check(areEqual(expected, found), [index, width, height, round, line.count])
            }
        }
    }

    // MARK: Resize

    /// Columns of bilinear interpolation from the first to the last or back, or any columns.
    private mutating func columns(
        _ count: Int, _ width: Int, _ unit: Int, isScattered: Bool, isReversed: Bool
    ) -> (columns: [Int32], weights: [Int16]) {
        var columns: [Int32] = []
        var weights: [Int16] = []
        for i in 0..<count {
            var (column, share) = (generator.below(width), generator.below(unit + 1))
            if !isScattered {
                // In 1/65536 of a pixel.
                let middle = Int64((isReversed ? count - 1 - i : i) * 2 + 1) * 32_768 * Int64(width)
                let place = Int(middle / Int64(count)) - 32_768
                let held = min(max(place, 0), (width - 1) * 65_536)
                (column, share) = (held / 65_536, held % 65_536 * unit / 65_536)
            }
            if column == width - 1 { share = 0 }
            columns.append(Int32(column))
            weights += [Int16(unit - share), Int16(share)]
        }
        return (columns, weights)
    }

    mutating func resize() {
        let shares: [[Int32]] = [
            [1868, 9617, 4899], [4899, 9617, 1868], [16383, 1, 0], [0, 1, 16383], [127, 127, 16130],
        ]
        var round = 0
        for pixelBytes in [1, 2, 4] {
            for width in [Int](1...80) + [223, 224, 225, 320, 447, 640, 1001, 1920, 3001] {
                for count in [8, width % 70 + 1, 223, 224] {
                    round += 1
                    let edge = nextEdge()
                    let (unit, bias) = round % 2 == 0 ? (16_384, 1 << 20) : (19_077, (1 << 20) - 16 * 128 * 19_077)
                    var (columns, weights) = columns(
                        count, width, unit, isScattered: round % 5 == 0, isReversed: round % 3 == 0)
                    let top = bytes(width * pixelBytes, edge)
                    let bottom = bytes(width * pixelBytes, edge)
                    if round % 7 == 0 {
                        top.bytes.update(repeating: 0, count: top.count)
                        bottom.bytes.update(repeating: 255, count: bottom.count)
                    }
                    let share = shares[round % shares.count]
                    let weight = Int32([0, 1, 127, 8192, 16_384, 20_000, 32_767][round % 7])
                    let expected = Buffer(count, edge)
                    let found = Buffer(count, edge)
                    for isPortable in [true, false] {
                        if sabotage && !isPortable { weights[0] = weights[0] / 2 }
                        let kernels = table(isPortable).resize
                        let size = kernels.pack(nil, nil, count, width, pixelBytes, Int32(bias), nil)
                        let packed = Buffer(size, size % 64 == 0 ? edge : .before)
                        let written = kernels.pack(
                            columns, weights, count, width, pixelBytes, Int32(bias), packed.base)
                        guard written == size, packed.isIntact else { fatalError() }
                        let line = isPortable ? expected.bytes : found.bytes
                        if pixelBytes == 4 {
                            kernels.colour(
                                top.bytes, bottom.bytes, weight, share[0], share[1], share[2], packed.base, line)
                        } else {
                            kernels.luma(top.bytes, bottom.bytes, weight, packed.base, line)
                        }
                    }
                    check(areEqual(expected, found), [pixelBytes, width, count, round])
                }
            }
        }
    }

    // MARK: Area

    /// `count` shares of `unit`; sometimes one has all.
    private mutating func shares(_ count: Int, _ unit: Int) -> [Int16] {
        var shares = [Int16](repeating: 0, count: count)
        var left = unit
        for index in 0..<count {
            let share = index == count - 1 ? left : generator.below(3) == 0 ? 0 : generator.below(left + 1)
            shares[index] = Int16(share)
            left -= share
        }
        return shares
    }

    mutating func areaRows() {
        for pixelBytes in [1, 2, 4] {
            for width in [Int](1...70) + [127, 128, 129, 449] {
                for (index, count) in [1, 2, 3, 4, 5, 9].enumerated() {
                    let edge = nextEdge()
                    let stride = width * pixelBytes + [0, 1, 19][index % 3]
                    let rows = bytes((count - 1) * stride + width * pixelBytes, edge)
                    if index == 1 { rows.bytes.update(repeating: 255, count: rows.count) }
                    let share: [Int32] = index % 2 == 0 ? [4899, 9617, 1868] : [0, 1, 16_383]
                    // If the number is odd, a 0 follows.
                    var weights = shares(count, 16_384) + [0]
                    let expected = Buffer(2 * (width + 63), edge)
                    let found = Buffer(2 * (width + 63), edge)
                    for isPortable in [true, false] {
                        if sabotage && !isPortable { weights[count - 1] = weights[count - 1] / 2 + 100 }
                        let codes = (isPortable ? expected.base : found.base).assumingMemoryBound(to: Int16.self)
                        let kernels = table(isPortable).resize.area
                        if pixelBytes == 4 {
                            kernels.colour(
                                rows.bytes, stride, weights, count, width, share[0], share[1], share[2], codes)
                        } else {
                            kernels.luma(rows.bytes, stride, weights, count, width, pixelBytes, codes)
                        }
                    }
                    let difference = expected.difference(from: found) ?? .max
                    check(difference >= 2 * width && found.isIntact, [pixelBytes, width, count])
                }
            }
        }
    }

    mutating func areaLine() {
        for chunks in [1, 2, 3, 14] {
            for count in [Int](1...50) + [223, 224] {
                let edge = nextEdge()
                let taps = chunks * AreaColumns.taps
                let width = generator.below(500) + taps
                let codes = Buffer(2 * width, edge)
                let values = codes.base.assumingMemoryBound(to: Int16.self)
                for index in 0..<width {
                    values[index] = count % 5 == 0 ? 32_640 : Int16(generator.below(32_641))
                }
                let (unit, bias) = count % 2 == 0 ? (16_384, 1 << 20) : (19_077, (1 << 20) - 16 * 128 * 19_077)
                let blockBytes = AreaColumns.blockBytes(chunks)
                let columns = Buffer(AreaColumns.blocks(count) * blockBytes, edge)
                columns.bytes.update(repeating: 0, count: columns.count)
                for i in 0..<count {
                    let block = columns.base + i / AreaColumns.pixels * blockBytes
                    let first = Int32(generator.below(width - taps + 1))
                    block.storeBytes(of: first, toByteOffset: 4 * (i % AreaColumns.pixels), as: Int32.self)
                    for (tap, weight) in shares(taps, unit).enumerated() {
                        let group = 16 * (tap / AreaColumns.taps) + AreaColumns.group(i)
                        block.storeBytes(
                            of: weight, toByteOffset: 64 + 16 * group + 2 * (tap % AreaColumns.taps), as: Int16.self)
                    }
                }
                let expected = Buffer(count, edge)
                let found = Buffer(count, edge)
                table(true).resize.area.line(values, columns.base, chunks, Int32(bias), count, expected.bytes)
                table(false).resize.area.line(
                    values, columns.base, chunks, Int32(sabotage ? bias + (1 << 21) : bias), count, found.bytes)
                check(areEqual(expected, found), [chunks, count])
            }
        }
    }
}
