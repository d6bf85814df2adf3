import Frames
import Preprocessing
import TestSupport
import Testing
import Vocabulary

@Suite struct FrameDifferenceTests {
    @Test(arguments: [0, 1, 13]) func agreesWithPlainLoops(misalignment: Int) {
        var random = SplitMix64(seed: UInt64(misalignment) + 20)
        for round in 0..<4 {
            let before = (0..<(224 * 224)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            // Blocks differ in how much of them changes.
            let after = before.indices.map { index in
                let block = index / 224 / 32 * 7 + index % 224 / 32
                return random.next() % 49 < block * round ? UInt8(truncatingIfNeeded: random.next()) : before[index]
            }
            let (first, second) = (GuardedBuffer(before, misalignment: misalignment), GuardedBuffer(after))
            let difference = unsafe FrameDifference(
                from: Span(_unsafeStart: first.base, count: first.count),
                to: Span(_unsafeStart: second.base, count: second.count))
            var sums = [Int](repeating: 0, count: 49)
            for index in before.indices {
                sums[index / 224 / 32 * 7 + index % 224 / 32] += abs(Int(before[index]) - Int(after[index]))
            }
            let sorted = sums.sorted()
            #expect(difference.mean == Double(sums.reduce(0, +)) / 50_176)
            #expect(difference.peak == Double(sorted[48]) / 1024 && difference.median == Double(sorted[24]) / 1024)
            #expect(difference.energy == difference.peak - difference.median)
        }
    }

    @Test func extremes() {
        for (a, b) in [(UInt8(0), UInt8(255)), (255, 0), (127, 128), (9, 9)] {
            let difference = FrameDifference(from: plain(a).span, to: plain(b).span)
            let expected = abs(Double(a) - Double(b))
            #expect(difference.mean == expected && difference.peak == expected && difference.median == expected)
            #expect(difference.energy == 0)
        }
    }

    /// What a still camera sees: noise, and light that changes evenly.
    @Test(arguments: [0.0, 1, 2, 4]) func stillnessHasNoEnergy(sigma: Double) {
        let room = LumaPicture.leaves(seed: 1, codes: 40...200)
        for seed in 0..<6 {
            let before = room.noisy(sigma, seed: UInt64(2 * seed))
            let after = room.noisy(sigma, seed: UInt64(2 * seed + 1)).map { $0 + Double(seed) }
            let difference = FrameDifference(from: before.bytes.span, to: after.bytes.span)
            #expect(difference.energy <= 0.15 * sigma, "seed \(seed)")
        }
    }

    /// A fist of 18 x 18 pixels, 8 % of the height, 50 luma values brighter than the background.
    private func room(handAt x: Int, _ y: Int) -> LumaPicture {
        var picture = LumaPicture.leaves(seed: 5, codes: 60...100)
        for row in y..<(y + 18) {
            for column in x..<(x + 18) { picture.codes[row * 224 + column] = 130 }
        }
        return picture
    }

    @Test(arguments: [(38, 70), (7, 199), (100, 130), (120, 53)]) func aSmallHandIsNoticed(x: Int, y: Int) {
        let sigma = 2.0
        let before = room(handAt: x, y).noisy(sigma, seed: 1).bytes
        let still = FrameDifference(from: before.span, to: room(handAt: x, y).noisy(sigma, seed: 2).bytes.span)
        for (dx, dy, factor) in [(1, 0, 1.5), (0, 1, 1.5), (2, 0, 3.0), (0, 2, 3), (-2, 1, 3)] {
            let after = room(handAt: x + dx, y + dy).noisy(sigma, seed: 3).bytes
            let moved = FrameDifference(from: before.span, to: after.span)
            #expect(moved.energy > factor * still.energy, "by \(dx), \(dy): \(moved.energy), still \(still.energy)")
            #expect(moved.energy > 0.3 && still.energy < 0.2, "\(dx) \(dy)")
        }
    }
}
