// The one packer of weights, for every kernel of every tier.

extension WeightLayout {
    /// See `QuantisedConvolutionKernels.PackConvolution`. Vectors without values stay zero.
    @export(interface) @inline(never)
    package func pack(
        _ weights: UnsafePointer<Int8>?, _ bias: UnsafePointer<Int32>?, _ multiplier: UnsafePointer<Float>?,
        _ slope: UnsafePointer<Float>?, _ channels: Int, _ depth: Int, _ packed: UnsafeMutableRawPointer?
    ) -> Int {
        guard let weights, let packed else { return byteCount(channels, depth) }
        if let words, depth % 4 == 0, Int(bitPattern: weights) % 4 == 0 {
            words.place(weights, sourceBytes: 4, channels, depth / 4, packed)
        } else {
            place(weights, sourceBytes: 1, channels, depth, packed)
        }
        place(bias, at: 0, channels, depth, packed) { n, bias in
            bias &+ corrected(weights, n, channels, 0..<depth)
        }
        if hasEdgeBias {
            place(bias, at: 1, channels, depth, packed) { n, bias in
                bias &+ corrected(weights, n, channels, 3..<depth)
            }
        }
        place(multiplier, at: hasEdgeBias ? 2 : 1, channels, depth, packed) { $1 }
        place(slope, at: 2, channels, depth, packed) { $1 }
        switch trailer {
        case .isWhole: markWhole(weights, channels, depth, packed)
        case .channels(_, let put):
            if let bias, let multiplier, let slope {
                putChannels(put, weights, bias, multiplier, slope, channels, depth, packed)
            }
        default: break
        }
        return byteCount(channels, depth)
    }

    /// See `ConvolutionKernels.PackConvolution`. Vectors without values stay zero.
    @export(interface) @inline(never)
    package func pack(
        _ weights: UnsafePointer<Float>?, _ bias: UnsafePointer<Float>?, _ slope: UnsafePointer<Float>?,
        _ channels: Int, _ depth: Int, _ packed: UnsafeMutableRawPointer?
    ) -> Int {
        guard let weights, let packed else { return byteCount(channels, depth) }
        place(weights, sourceBytes: 4, channels, depth, packed)
        place(bias, at: 0, channels, depth, packed) { $1 }
        place(slope, at: 1, channels, depth, packed) { $1 }
        if case .slopeKind = trailer { markSlopes(slope, channels, depth, packed) }
        return byteCount(channels, depth)
    }

    private func byteCount(_ channels: Int, _ depth: Int) -> Int {
        var byteCount = 0
        forEachPanel(channels, depth) { byteCount = $0.start + panelBytes(depth, width: $0.width) }
        return byteCount.roundedUp(to: 64)
    }

    /// The same layout with four bytes of the depth as one value, so that they move at once; nil if they do not lie
    /// side by side.
    private var words: WeightLayout? {
        guard weightBytes == 1, group % 4 == 0, taps.isEmpty, !isDepthOutermost else { return nil }
        var words = self
        words.group /= 4
        words.weightBytes = 4
        return words
    }

    // MARK: Panels

    private struct Panel {
        /// Its first channel, counted on where channels begin anew.
        let first: Int
        let width: Int
        /// Bytes from the start of the packed memory.
        let start: Int
    }

    @inline(__always)
    private func forEachPanel(_ channels: Int, _ depth: Int, _ body: (Panel) -> Void) {
        var count = channels.roundedUp(to: channelMultiple ?? 1)
        if channels < repeatsBelow {
            while count % width != 0 { count += channels }
        }
        var (first, start) = (0, 0)
        while first < count {
            let width = panelWidth.map { $0(count - first) } ?? width
            body(Panel(first: first, width: width, start: start))
            first += width
            start += panelBytes(depth, width: width)
        }
    }

    /// The channels of a panel and their positions in its vectors.
    @inline(__always)
    private func forEachChannel(of panel: Panel, _ channels: Int, _ body: (_ channel: Int, _ lane: Int) -> Void) {
        for index in 0..<panel.width {
            var channel = panel.first + index
            if channel >= channels {
                guard repeatsBelow > 0 else { return }
                channel %= channels
            }
            body(channel, isInterleaved ? index / 4 % 4 * (panel.width / 4) + index / 16 * 4 + index % 4 : index)
        }
    }

    // MARK: Weights

    /// Where one value of the depth goes, in bytes: from a channel's first weight, and to the panel's for its lane.
    private struct Move {
        let source, target: Int
    }

    /// The moves of every channel in a panel.
    private func moves(_ channels: Int, _ depth: Int, width: Int, sourceBytes: Int) -> [Move] {
        let step = (isDepthOutermost ? channels : 1) * sourceBytes
        let groupBytes = (run ?? width) * group * weightBytes
        let after = panelBytes(depth, width: width) - width * tapsAfter.count * weightBytes
        var moves: [Move] = []
        func move(_ value: Int, to place: Int, after start: Int = 0) {
            let target = start + place / group * groupBytes + place % group * weightBytes
            moves.append(Move(source: value * step, target: target))
        }
        if taps.isEmpty {
            moves.reserveCapacity(depth)
            for value in 0..<depth { move(value, to: value) }
        }
        taps.forEach { move($0, to: $1) }
        tapsAfter.forEach { move($0, to: $1, after: after) }
        return moves
    }

    /// Packs the weights. A value of the depth has `sourceBytes`, and `weightBytes` when it is packed.
    private func place(
        _ weights: UnsafeRawPointer, sourceBytes: Int, _ channels: Int, _ depth: Int, _ packed: UnsafeMutableRawPointer
    ) {
        let channelBytes = (isDepthOutermost ? 1 : depth) * sourceBytes
        var width = 0
        var moves: [Move] = []
        forEachPanel(channels, depth) { panel in
            if panel.width != width {
                width = panel.width
                moves = self.moves(channels, depth, width: width, sourceBytes: sourceBytes)
            }
            let run = run ?? width
            let runBytes = places(depth) * run * weightBytes
            moves.withUnsafeBufferPointer { moves in
                // So few at a time that all channels of the panel write to lines that are still cached.
                for first in stride(from: 0, to: moves.count, by: 64) {
                    let some = UnsafeBufferPointer(rebasing: moves[first..<min(first + 64, moves.count)])
                    forEachChannel(of: panel, channels) { channel, lane in
                        let (block, position) = run == width ? (0, lane) : lane.quotientAndRemainder(dividingBy: run)
                        copy(
                            weights + channel * channelBytes,
                            packed + (panel.start + block * runBytes + position * group * weightBytes), some)
                    }
                }
            }
        }
    }

    /// Moves one channel's values. Pointers of plain types take a tenth of the time of generic ones where nothing is
    /// optimised. Not inlined, so that all that its loops need is in registers.
    @inline(never)
    private func copy(
        _ source: UnsafeRawPointer, _ target: UnsafeMutableRawPointer, _ moves: UnsafeBufferPointer<Move>
    ) {
        var move = moves.baseAddress!
        let end = move + moves.count
        switch weightBytes {
        case 4 where group == 1 && taps.isEmpty && moves.count > 1:
            // All moves are one step from the one before.
            let first = moves[0]
            let (wordStep, placeStep) = (moves[1].source - first.source, moves[1].target - first.target)
            var (word, place) = (source + first.source, target + first.target)
            let end = word + moves.count * wordStep
            while word < end {
                place.assumingMemoryBound(to: UInt32.self).pointee =
                    word.assumingMemoryBound(to: UInt32.self).pointee
                word += wordStep
                place += placeStep
            }
        case 4:
            while move < end {
                let word = (source + move.pointee.source).assumingMemoryBound(to: UInt32.self)
                (target + move.pointee.target).assumingMemoryBound(to: UInt32.self).pointee = word.pointee
                move += 1
            }
        case 2:
            while move < end {
                let weight = (source + move.pointee.source).assumingMemoryBound(to: Int8.self)
                (target + move.pointee.target).assumingMemoryBound(to: Int16.self).pointee = Int16(weight.pointee)
                move += 1
            }
        default:
            while move < end {
                let weight = (source + move.pointee.source).assumingMemoryBound(to: Int8.self)
                (target + move.pointee.target).assumingMemoryBound(to: Int8.self).pointee = weight.pointee
                move += 1
            }
        }
    }

    // MARK: Parameters

    /// Packs vector `index` of the parameters.
    @inline(__always)
    private func place<Value: BitwiseCopyable>(
        _ values: UnsafePointer<Value>?, at index: Int, _ channels: Int, _ depth: Int,
        _ packed: UnsafeMutableRawPointer, _ convert: (_ channel: Int, Value) -> Value
    ) {
        guard let values, index < vectors else { return }
        forEachPanel(channels, depth) { panel in
            let start = parameterOffset(depth, width: panel.width) + index * vectorBytes(width: panel.width)
            let vector = packed + (panel.start + start)
            forEachChannel(of: panel, channels) { channel, lane in
                vector.storeBytes(of: convert(channel, values[channel]), toByteOffset: 4 * lane, as: Value.self)
            }
        }
    }

    /// What the kernel's correction adds to the bias of a channel for some of its depth.
    private func corrected(
        _ weights: UnsafePointer<Int8>, _ channel: Int, _ channels: Int, _ depth: Range<Int>
    ) -> Int32 {
        guard correction != 0 else { return 0 }
        var sum: Int32 = 0
        for k in depth { sum &+= Int32(weights[offset(channel, k, channels, depth.upperBound)]) }
        return correction &* sum
    }

    /// Where a weight is among those that are given.
    @inline(__always)
    private func offset(_ channel: Int, _ k: Int, _ channels: Int, _ depth: Int) -> Int {
        isDepthOutermost ? k * channels + channel : channel * depth + k
    }

    // MARK: Trailers

    private func markWhole(
        _ weights: UnsafePointer<Int8>, _ channels: Int, _ depth: Int, _ packed: UnsafeMutableRawPointer
    ) {
        forEachPanel(channels, depth) { panel in
            var (k, end) = ((panel.first + panel.width / 2) * depth, min(panel.first + panel.width, channels) * depth)
            while k < end && weights[k] == 0 { k += 1 }
            let mark = packed + (panel.start + trailerOffset(depth, width: panel.width))
            mark.storeBytes(of: k < end ? 1 : 0, as: Int32.self)
        }
    }

    private func markSlopes(
        _ slope: UnsafePointer<Float>?, _ channels: Int, _ depth: Int, _ packed: UnsafeMutableRawPointer
    ) {
        forEachPanel(channels, depth) { panel in
            var (areZeros, areOnes) = (true, slope != nil)
            if let slope {
                for n in panel.first..<min(panel.first + panel.width, channels) {
                    areZeros = areZeros && slope[n] == 0
                    areOnes = areOnes && slope[n] == 1
                }
            }
            let mark = packed + (panel.start + trailerOffset(depth, width: panel.width))
            mark.storeBytes(of: areZeros ? 1 : areOnes ? 2 : 0, as: Int.self)
        }
    }

    private func putChannels(
        _ put: PutChannel, _ weights: UnsafePointer<Int8>, _ bias: UnsafePointer<Int32>,
        _ multiplier: UnsafePointer<Float>, _ slope: UnsafePointer<Float>, _ channels: Int, _ depth: Int,
        _ packed: UnsafeMutableRawPointer
    ) {
        forEachPanel(channels, depth) { panel in
            let parameters = packed + (panel.start + trailerOffset(depth, width: panel.width))
            forEachChannel(of: panel, channels) { n, lane in
                var (low, high) = (0, 0)
                for k in 0..<depth {
                    let product = 255 * Int(weights[offset(n, k, channels, depth)])
                    if product < 0 { low += product } else { high += product }
                }
                let correction = corrected(weights, n, channels, 0..<depth)
                put(lane, bias[n], correction, low, high, multiplier[n], slope[n], parameters)
            }
        }
    }
}
