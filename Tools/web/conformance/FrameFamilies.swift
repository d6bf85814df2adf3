import KernelInterface

private let counts = Array(0...17) + [31, 192, 224]

/// A line through a frame.
private struct CropLine {
    var limits: [Int32]
    var x, y, stepX, stepY: Int32

    /// Any line whose places 16 bits hold; in every second round one that stays inside the frame where it can.
    init(_ width: Int, _ height: Int, count: Int, round: Int, _ generator: inout Generator) {
        limits = [0, 0, Int32(width - 1), Int32(height - 1)]
        if generator.integer(0...2) == 0 {
            limits[0] = Int32(generator.integer(0...width - 1))
            limits[1] = Int32(generator.integer(0...height - 1))
            limits[2] = Int32(generator.integer(Int(limits[0])...width - 1))
            limits[3] = Int32(generator.integer(Int(limits[1])...height - 1))
        }
        if round % 2 == 0 {
            let (x0, x1) = (generator.integer(0...width << 16 - 1), generator.integer(0...width << 16 - 1))
            let (y0, y1) = (generator.integer(0...height << 16 - 1), generator.integer(0...height << 16 - 1))
            (x, stepX) = (Int32(x0), Int32((x1 - x0) / (count + 1)))
            (y, stepY) = (Int32(y0), Int32((y1 - y0) / (count + 1)))
        } else if round % 8 == 1 {
            let reach = 32_700 * 65_536
            let (x0, x1) = (generator.integer(0...reach), generator.integer(0...reach))
            let (y0, y1) = (generator.integer(0...reach), generator.integer(0...reach))
            (x, stepX) = (Int32(-x0), Int32((x0 / 2 + x1 / 2) / (count + 4)))
            (y, stepY) = (Int32(y0), Int32(-(y0 / 2 + y1 / 2) / (count + 4)))
        } else {
            x = Int32(generator.integer(-3 * 65_536...(width + 2) * 65_536))
            y = Int32(generator.integer(-3 * 65_536...(height + 2) * 65_536))
            stepX = Int32(generator.integer(-100_000...100_000))
            stepY = generator.integer(0...1) == 0 ? 0 : Int32(generator.integer(-100_000...100_000))
        }
    }
}

/// See `CropKernels.Packed`.
func compareCropPacked(_ comparison: inout Comparison) {
    var generator = Generator(seed: 10)
    for round in 0..<800 {
        let isLarge = round % 4 == 0
        let (width, height) = (generator.integer(1...(isLarge ? 150 : 30)), generator.integer(1...(isLarge ? 90 : 20)))
        let stride = 4 * width + [0, 1, 13][round % 3]
        let pixels = comparison.page.place(generator.bytes((height - 1) * stride + 4 * width))
        let count = generator.pick(counts)
        let line = CropLine(width, height, count: count, round: round, &generator)
        for red in [0, 2] {
            var outputs: [Guarded] = []
            for kernels in [comparison.portable.crop, comparison.tier.crop] {
                let output = Guarded(count: 3 * count, misalignment: round % 5)
                kernels.packed(
                    pixels, stride, line.limits, red, line.x, line.y, line.stepX, line.stepY, count,
                    output.bound(to: UInt8.self))
                outputs.append(output)
            }
            comparison.note(
                outputs[1].isIntact && outputs[0].equals(outputs[1]),
                "\(width)x\(height), \(count) pixels, round \(round)")
        }
    }
}

/// See `CropKernels.Planar`. The plane that ends with the memory is the luma, the blue and the red in turn.
func compareCropPlanar(_ comparison: inout Comparison) {
    var generator = Generator(seed: 11)
    let matrices: [[Int32]] = [
        [9_539, 13_075, 3_209, 6_660, 16_525, 2_048], [8_192, 11_485, 2_819, 5_850, 14_516, 0],
        [32_767, 32_767, 32_767, 32_767, 32_767, 0],
    ]
    // NV12, NV21, I420, gray, YUYV.
    for format in 0..<5 {
        for round in 0..<600 {
            let isLarge = round % 4 == 0
            var width = generator.integer(1...(isLarge ? 150 : 30))
            if format == 4 { width += width % 2 }
            let height = generator.integer(1...(isLarge ? 90 : 20))
            let padding = [0, 1, 13][round % 3]
            let lumaStep = format == 4 ? 2 : 1
            let chromaStep = [2, 2, 1, 0, 4][format]
            let stride = lumaStep * width + padding
            let (columns, rows) = ((width + 1) / 2, (height + 1) / 2)
            let chromaStride = format == 3 ? 0 : format == 4 ? stride : columns * chromaStep + padding
            let chromaCount = format == 3 ? 1 : (rows - 1) * chromaStride + columns * chromaStep
            var planes = [generator.bytes((height - 1) * stride + lumaStep * width)]
            for _ in 0..<2 { planes.append(generator.bytes(chromaCount)) }
            let inner = planes.map { Guarded($0, misalignment: round % 3) }
            let last = round / 2 % 3
            func plane(_ index: Int) -> UnsafeMutablePointer<UInt8> {
                index == last ? comparison.page.place(planes[index]) : inner[index].bound(to: UInt8.self)
            }
            let luma = plane(0)
            let (blue, red) =
                switch format {
                case 0: (plane(1), plane(1) + 1)
                case 1: (plane(1) + 1, plane(1))
                case 4: (luma + 1, luma + 3)
                default: (plane(1), plane(2))
                }
            let count = generator.pick(counts)
            let line = CropLine(width, height, count: count, round: round, &generator)
            // A last column below the frame's holds back what is beyond.
            let matrix = matrices[round % 3] + [Int32(round % 4 == 1 ? columns / 2 : columns - 1)]
            var outputs: [Guarded] = []
            for kernels in [comparison.portable.crop, comparison.tier.crop] {
                let output = Guarded(count: 3 * count, misalignment: round % 5)
                kernels.planar(
                    luma, stride, lumaStep, blue, red, chromaStride, chromaStep, format == 4 ? 0 : 1, matrix,
                    line.limits, line.x, line.y, line.stepX, line.stepY, count, output.bound(to: UInt8.self))
                outputs.append(output)
            }
            withExtendedLifetime(inner) {}
            comparison.note(
                outputs[1].isIntact && outputs[0].equals(outputs[1]),
                "format \(format), \(width)x\(height), \(count) pixels, round \(round)")
        }
    }
}

/// See `ResizeKernels`. The lower row ends with the memory.
func compareResize(_ comparison: inout Comparison) {
    var generator = Generator(seed: 12)
    for width in Array(1...40) + [127, 320, 479, 640] {
        for pixelBytes in [1, 2, 4] {
            for count in [1, 7, 8, 9, 17, 100, 224] {
                let unit = generator.pick([16_384, 19_077])
                let bias = Int32(unit == 16_384 ? 1 << 20 : (1 << 20) - 16 * 128 * 19_077)
                var columns: [Int32] = []
                var weights: [Int16] = []
                let isSpread = generator.integer(0...1) == 0
                let isReversed = generator.integer(0...1) == 0
                for i in 0..<count {
                    let place = isReversed ? count - 1 - i : i
                    let column = isSpread ? place * width / count : generator.integer(0...width - 1)
                    let share =
                        column == width - 1 ? 0 : generator.pick([0, unit, unit / 2, generator.integer(0...unit)])
                    columns.append(Int32(column))
                    weights += [Int16(unit - share), Int16(share)]
                }
                let top = Guarded(generator.bytes(width * pixelBytes), misalignment: 1)
                let bottom = comparison.page.place(generator.bytes(width * pixelBytes))
                let shares: [Int32] = generator.pick([[1868, 9617, 4899], [16_383, 1, 0], [0, 1, 16_383]])
                let weight = Int32(generator.pick([0, 1, 8192, 20_000, 32_767]))
                var outputs: [Guarded] = []
                var isIntact = true
                for kernels in [comparison.portable.resize, comparison.tier.resize] {
                    let packed = Guarded(count: kernels.pack(nil, nil, count, width, pixelBytes, bias, nil))
                    _ = kernels.pack(columns, weights, count, width, pixelBytes, bias, packed.base)
                    let output = Guarded(count: count, misalignment: 3)
                    if pixelBytes == 4 {
                        kernels.colour(
                            top.bound(to: UInt8.self), bottom, weight, shares[0], shares[1], shares[2], packed.base,
                            output.bound(to: UInt8.self))
                    } else {
                        kernels.luma(
                            top.bound(to: UInt8.self), bottom, weight, packed.base, output.bound(to: UInt8.self))
                    }
                    isIntact = isIntact && packed.isIntact && output.isIntact
                    outputs.append(output)
                }
                withExtendedLifetime(top) {}
                comparison.note(
                    isIntact && outputs[0].equals(outputs[1]), "width \(width) of \(pixelBytes) bytes, \(count) pixels")
            }
        }
    }
}

/// See `AreaKernels.Luma` and `AreaKernels.Colour`. The rows end with the memory.
func compareAreaRows(_ comparison: inout Comparison) {
    var generator = Generator(seed: 13)
    for width in Array(1...70) + [127, 128, 449, 640, 1001, 1280] {
        for pixelBytes in [1, 2, 4] {
            for count in [1, 2, 3, 4, 5, 9] where width < 300 || count < 4 {
                let stride = width * pixelBytes + [0, 1, 19][count % 3]
                let rows = comparison.page.place(generator.bytes((count - 1) * stride + width * pixelBytes))
                let weights = generator.shares(count, of: 16_384) + [0]
                let shares: [Int32] = generator.pick([[1868, 9617, 4899], [16_383, 1, 0], [0, 1, 16_383]])
                var outputs: [Guarded] = []
                for kernels in [comparison.portable.resize.area, comparison.tier.resize.area] {
                    let output = Guarded(count: 2 * (width + 63))
                    if pixelBytes == 4 {
                        kernels.colour(
                            rows, stride, weights, count, width, shares[0], shares[1], shares[2],
                            output.bound(to: Int16.self))
                    } else {
                        kernels.luma(rows, stride, weights, count, width, pixelBytes, output.bound(to: Int16.self))
                    }
                    outputs.append(output)
                }
                comparison.note(
                    outputs[1].isIntact && outputs[0].equals(outputs[1], first: 2 * width),
                    "width \(width) of \(pixelBytes) bytes, \(count) rows")
            }
        }
    }
}

/// See `AreaKernels.Line`.
func compareAreaLine(_ comparison: inout Comparison) {
    var generator = Generator(seed: 14)
    for count in Array(1...33) + [112, 223, 224] {
        for chunks in 1...4 {
            let blockBytes = AreaColumns.blockBytes(chunks)
            let columns = Guarded(count: AreaColumns.blocks(count) * blockBytes, isZeroed: true)
            let width = 500
            for i in 0..<count {
                let block = columns.base + i / 16 * blockBytes
                let first = Int32(generator.integer(0...width - 8 * chunks))
                block.storeBytes(of: first, toByteOffset: 4 * (i % 16), as: Int32.self)
                for (tap, weight) in generator.shares(8 * chunks, of: 16_384).enumerated() {
                    let offset = 64 + 256 * (tap / 8) + 16 * AreaColumns.group(i) + tap % 8 * 2
                    block.storeBytes(of: weight, toByteOffset: offset, as: Int16.self)
                }
            }
            let codes = Guarded(count: 2 * width)
            for x in 0..<width { codes.bound(to: Int16.self)[x] = Int16(generator.integer(0...32_640)) }
            let bias = generator.pick([1 << 20, (1 << 20) - 16 * 128 * 16_384] as [Int32])
            var outputs: [Guarded] = []
            for kernels in [comparison.portable.resize.area, comparison.tier.resize.area] {
                let output = Guarded(count: count, misalignment: 3)
                kernels.line(
                    codes.bound(to: Int16.self), columns.base, chunks, bias, count, output.bound(to: UInt8.self))
                outputs.append(output)
            }
            withExtendedLifetime((columns, codes)) {}
            comparison.note(
                outputs[1].isIntact && outputs[0].equals(outputs[1]), "\(count) pixels, \(chunks) chunks")
        }
    }
}
