import KernelInterface

/// The shapes of every kernel: those of the network, and around them whatever the contract allows. Fills and edges take
/// turns from shape to shape.
struct Sweeps {
    /// Those of the pixel network and those of graphs: the portable tier's, then those under test.
    let tables: [Int8Kernels]
    let graphTables: [QuantisedConvolutionKernels]
    /// Gives the kernels under test one wrong weight a case.
    let sabotage: Bool
    private(set) var failures = 0
    var turn = 0
    var generator = SplitMix64(seed: 2026)

    init(_ tables: [Int8Kernels], _ graphTables: [QuantisedConvolutionKernels], sabotage: Bool) {
        self.tables = tables
        self.graphTables = graphTables
        self.sabotage = sabotage
    }

    mutating func next() -> (Fill, Buffer.Edge) {
        turn += 1
        return (Fill(rawValue: turn % Fill.count)!, turn / Fill.count % 2 == 0 ? .after : .before)
    }

    mutating func codes(_ count: Int, _ fill: Fill, _ edge: Buffer.Edge) -> Buffer {
        let buffer = Buffer(count, edge)
        for index in 0..<count { buffer.bytes[index] = fill.code(&generator) }
        return buffer
    }

    mutating func finish<Kernels>(_ comparison: Comparison<Kernels>) {
        comparison.summarise()
        failures += comparison.failures
    }

    private func pack(_ pack: Int8Kernels.Pack, _ parameters: Parameters, _ memory: UnsafeMutableRawPointer?) -> Int {
        let (channels, depth) = (parameters.channels, parameters.depth)
        guard let memory else { return pack(nil, nil, nil, channels, depth, nil) }
        return pack(parameters.weights, parameters.bias, parameters.multiplier, channels, depth, memory)
    }

    mutating func stem() {
        var comparison = Comparison("stem", tables, sabotage: sabotage)
        for (firstRow, rows, padding) in [
            (0, 1, 16), (0, 2, 0), (0, 3, 1), (1, 1, 0), (1, 4, 7), (17, 5, 3), (54, 2, 1), (110, 2, 5), (111, 1, 0),
        ] {
            for _ in 0..<2 * Fill.count {
                let (fill, edge) = next()
                let parameters = Parameters(fill, channels: 16, depth: 9, &generator)
                let frame = codes(224 * 224, fill, edge)
                let stride = 112 * 16 + padding
                let count = (rows - 1) * stride + 112 * 16
                comparison.run(
                    parameters, outBytes: count, edge: edge,
                    shape: [firstRow, rows, padding, fill.rawValue],
                    pack: { pack($0.packStem, $1, $2) },
                    body: { table, packed, out in
                        table.stem(
                            frame.bytes, firstRow, rows, packed, out.assumingMemoryBound(to: UInt8.self), stride)
                    })
            }
        }
        finish(comparison)
    }

    mutating func depthwise3x3() {
        var comparison = Comparison("depthwise 3x3", tables, sabotage: sabotage)
        for channels in [16, 32, 48, 64, 96, 128, 256] {
            for stride in 1...2 {
                for rows in [1, 2, 3, 4, 7] {
                    for width in [1, 2, 3, 7, 8, 14, 28, 56] where rows * width * channels <= 20_000 {
                        let (fill, edge) = next()
                        let parameters = Parameters(fill, channels: channels, depth: 9, &generator)
                        let rowBytes = (stride == 1 ? width + 2 : 2 * width + 1) * channels
                        let inStride = rowBytes + [0, 5, 16][turn % 3]
                        let inputRows = stride * (rows - 1) + 3
                        let input = codes((inputRows - 1) * inStride + rowBytes, fill, edge)
                        let count = rows * width * channels
                        comparison.run(
                            parameters, outBytes: count, edge: edge,
                            shape: [channels, stride, rows, width, inStride, fill.rawValue],
                            pack: { pack($0.packDepthwise3x3, $1, $2) },
                            body: { table, packed, out in
                                let scratch = Buffer(table.depthwiseScratch(width, channels), .before)
                                table.depthwise3x3(
                                    input.bytes, inStride, stride, rows, width, channels, packed,
                                    out.assumingMemoryBound(to: UInt8.self), scratch.bytes)
                            })
                    }
                }
            }
        }
        finish(comparison)
    }

    mutating func depthwise7x7() {
        var comparison = Comparison("depthwise 7x7", tables, sabotage: sabotage)
        for channels in [64, 128, 192, 256] {
            for _ in 0..<2 * Fill.count {
                let (fill, edge) = next()
                let parameters = Parameters(fill, channels: channels, depth: 49, &generator)
                let input = codes(49 * channels, fill, edge)
                comparison.run(
                    parameters, outBytes: channels, edge: edge, shape: [channels, fill.rawValue],
                    pack: { pack($0.packDepthwise7x7, $1, $2) },
                    body: { table, packed, out in
                        table.depthwise7x7(input.bytes, channels, packed, out.assumingMemoryBound(to: UInt8.self))
                    })
            }
        }
        finish(comparison)
    }

    mutating func gemm() {
        var comparison = Comparison("gemm", tables, sabotage: sabotage)
        for (taps, depth) in [
            (1, 4), (1, 8), (1, 12), (1, 16), (1, 20), (1, 32), (1, 36), (1, 64), (1, 128), (1, 256), (2, 4), (3, 4),
            (3, 12), (3, 20), (3, 128), (3, 160), (5, 28),
        ] {
            for columns in [32, 64, 96, 160] {
                for rows in [1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 14, 15, 16, 17, 21, 23, 28, 56]
                where rows * taps * depth * columns <= 500_000 {
                    let (fill, edge) = next()
                    let parameters = Parameters(fill, channels: columns, depth: taps * depth, &generator)
                    let tapStride = taps == 1 ? 0 : depth + [0, 12, 3][turn % 3]
                    let aStride = max(1, taps - 1) * max(tapStride, depth) + depth + [0, 3, 64][turn / 3 % 3]
                    let outStride = columns + [0, 9, 32][turn / 9 % 3]
                    let a = codes((rows - 1) * aStride + (taps - 1) * tapStride + depth, fill, edge)
                    let count = (rows - 1) * outStride + columns
                    comparison.run(
                        parameters, outBytes: count, edge: edge,
                        shape: [taps, depth, columns, rows, aStride, tapStride, outStride, fill.rawValue],
                        pack: { pack($0.packGEMM, $1, $2) },
                        body: { table, packed, out in
                            table.gemm(
                                a.bytes, aStride, rows, taps, tapStride, depth, columns, packed,
                                out.assumingMemoryBound(to: UInt8.self), outStride)
                        })
                }
            }
        }
        finish(comparison)
    }

    mutating func classify() {
        var comparison = Comparison("classifier", tables, sabotage: sabotage)
        for depth in [4, 8, 12, 16, 20, 32, 36, 128, 160] {
            for columns in [1, 2, 8, 13, 16, 17, 31, 33, 40] {
                let (fill, edge) = next()
                let parameters = Parameters(fill, channels: columns, depth: depth, &generator)
                let a = codes(depth, fill, edge)
                comparison.run(
                    parameters, outBytes: (columns + 15) / 16 * 64, compared: 4 * columns, edge: edge,
                    shape: [depth, columns, fill.rawValue],
                    pack: { pack($0.packClassifier, $1, $2) },
                    body: { table, packed, out in
                        table.classify(a.bytes, depth, columns, packed, out.assumingMemoryBound(to: Float.self))
                    })
            }
        }
        finish(comparison)
    }
}
