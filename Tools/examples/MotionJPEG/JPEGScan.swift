/// The samples of a component, up to whole MCUs.
struct JPEGPlane: Sendable {
    var samples: [UInt8]
    let bytesPerRow: Int
    /// Samples of luma for one of this plane, along each side: 1 or 2.
    let coarseness: (across: Int, down: Int)

    /// - Parameter memory: samples of an earlier image, which serve again if they are as many.
    init(_ component: JPEGFrame.Component, of frame: JPEGFrame, in memory: [UInt8]) {
        bytesPerRow = 8 * component.across * frame.mcusAcross
        let count = bytesPerRow * 8 * component.down * frame.mcusDown
        samples = memory.count == count ? memory : [UInt8](repeating: 0, count: count)
        coarseness = (frame.across / component.across, frame.down / component.down)
    }

    /// Writes the plane at half the image's sides, rounded up: means of what is finer.
    func halve(into half: inout [UInt8], of frame: JPEGFrame) {
        let (width, height) = ((frame.width + 1) / 2, (frame.height + 1) / 2)
        // The last own sample, where an odd side leaves no second one.
        let lastColumn = (frame.width - 1) / coarseness.across
        let lastRow = (frame.height - 1) / coarseness.down
        let (acrossStep, downStep) = (2 / coarseness.across, 2 / coarseness.down)
        for row in 0..<height {
            let upper = bytesPerRow * min(lastRow, row * downStep)
            let lower = bytesPerRow * min(lastRow, row * downStep + downStep - 1)
            for column in 0..<width {
                let left = min(lastColumn, column * acrossStep)
                let right = min(lastColumn, column * acrossStep + acrossStep - 1)
                let sum =
                    UInt16(samples[upper + left]) + UInt16(samples[upper + right]) + UInt16(samples[lower + left])
                    + UInt16(samples[lower + right])
                half[row * width + column] = UInt8(truncatingIfNeeded: (sum + 2) / 4)
            }
        }
    }
}

/// The one scan of a sequential image, with all components in turn.
struct JPEGScan {
    private struct Part {
        let component: JPEGFrame.Component
        let quantisers: [Float]
        let dc: HuffmanTable
        let ac: HuffmanTable
        var plane: JPEGPlane
        /// The latest DC coefficient, before its quantiser.
        var predictor: Int32 = 0
    }

    private let frame: JPEGFrame
    private let restartInterval: Int
    private var parts: [Part] = []
    private var coefficients = [Float](repeating: 0, count: 64)

    /// - Parameter planes: those of an earlier image, whose memory serves again.
    init(
        _ segment: JPEGSegment, of frame: JPEGFrame, _ tables: JPEGTables, in planes: [JPEGPlane]
    ) throws(JPEGError) {
        self.frame = frame
        restartInterval = tables.restartInterval
        guard try segment.byte(0) == frame.components.count else { throw .scans }
        for (index, component) in frame.components.enumerated() {
            guard try segment.byte(1 + 2 * index) == component.identifier else { throw segment.fault }
            let places = try segment.byte(2 + 2 * index)
            guard places >> 4 <= 3, places & 15 <= 3 else { throw segment.fault }
            guard let quantisers = tables.quantisers[component.quantisers], let dc = tables.dc[places >> 4],
                let ac = tables.ac[places & 15]
            else { throw .noTable }
            parts.append(
                Part(
                    component: component, quantisers: quantisers, dc: dc, ac: ac,
                    plane: JPEGPlane(
                        component, of: frame, in: planes.indices.contains(index) ? planes[index].samples : [])))
        }
    }

    /// The planes of the components.
    mutating func decode(_ reader: consuming EntropyReader) throws(JPEGError) -> [JPEGPlane] {
        var untilRestart = restartInterval
        for row in 0..<frame.mcusDown {
            for column in 0..<frame.mcusAcross {
                if restartInterval > 0 {
                    if untilRestart == 0 {
                        try reader.restart()
                        for index in parts.indices { parts[index].predictor = 0 }
                        untilRestart = restartInterval
                    }
                    untilRestart -= 1
                }
                for index in parts.indices { try decodeUnit(index, row, column, &reader) }
                guard !reader.isExhausted else { throw .truncated }
            }
        }
        defer { parts = [] }
        return parts.map(\.plane)
    }

    /// The blocks of one component in one MCU.
    private mutating func decodeUnit(
        _ index: Int, _ row: Int, _ column: Int, _ reader: inout EntropyReader
    ) throws(JPEGError) {
        let component = parts[index].component
        for down in 0..<component.down {
            for across in 0..<component.across {
                let isFlat = try readBlock(index, &reader)
                let bytesPerRow = parts[index].plane.bytesPerRow
                let first =
                    8 * (row * component.down + down) * bytesPerRow + 8 * (column * component.across + across)
                if isFlat {
                    let value = coefficients[0] / 8
                    let samples = InverseTransform.samples(InverseTransform.Lanes(repeating: value))
                    for line in 0..<8 { parts[index].plane.write(samples, at: first + line * bytesPerRow) }
                } else {
                    InverseTransform(coefficients).forEachRow { line, samples in
                        parts[index].plane.write(samples, at: first + line * bytesPerRow)
                    }
                }
            }
        }
    }

    /// Reads the coefficients of a block and dequantises them. Returns whether all but the first are
    /// zero.
    private mutating func readBlock(_ index: Int, _ reader: inout EntropyReader) throws(JPEGError) -> Bool {
        for place in coefficients.indices { coefficients[place] = 0 }
        let category = Int(try reader.symbol(parts[index].dc))
        guard category <= 15 else { throw .code }
        if category > 0 { parts[index].predictor &+= reader.value(category) }
        coefficients[0] = Float(parts[index].predictor) * parts[index].quantisers[0]
        var place = 1
        var isFlat = true
        while place < 64 {
            let symbol = Int(try reader.symbol(parts[index].ac))
            let (zeros, category) = (symbol >> 4, symbol & 15)
            if category == 0 {
                // Fifteen zeros and one more, or the end of the block.
                guard zeros == 15 else { break }
                place += 16
                continue
            }
            place += zeros
            guard place < 64 else { throw .code }
            coefficients[InverseTransform.order[place]] =
                Float(reader.value(category)) * parts[index].quantisers[place]
            isFlat = false
            place += 1
        }
        return isFlat
    }
}

extension JPEGPlane {
    fileprivate mutating func write(_ row: InverseTransform.Lanes, at first: Int) {
        for column in 0..<8 { samples[first + column] = UInt8(row[column]) }
    }
}
