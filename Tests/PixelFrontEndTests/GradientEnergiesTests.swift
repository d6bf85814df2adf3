import Frames
import Testing
import Vocabulary

/// The energies of a whole frame: the mean of all phases.
private func energies(_ picture: LumaPicture) -> GradientEnergies {
    picture.bytes.withView { energies(of: $0) }
}

private func energies(of frame: borrowing PixelView) -> GradientEnergies {
    var sum = GradientEnergies(horizontal: .zero, vertical: .zero)
    for phase in 0..<32 {
        let part = GradientEnergies(of: frame, phase: phase)
        sum.horizontal += part.horizontal / 32
        sum.vertical += part.vertical / 32
    }
    return sum
}

@Suite struct GradientEnergiesTests {
    /// A frame three times as large, each pixel three times three, gives nearly the sharpness of the resized frame, with
    /// noise in every pixel, in any of its formats. Crisp frames are far from the flag's limits, 0.09 and 0.1.
    @Test(arguments: [0, 0.7, 1.3, 2, 3]) func samplesOfAFrameAreAsSharp(_ blur: Double) throws {
        var random = SplitMix64(seed: 21)
        var worst = 0.0
        for seed in 1...4 {
            let picture = LumaPicture.leaves(seed: UInt64(seed)).blurred(blur)
            let expected = try #require(energies(picture).sharpness)
            for noise in [0.0, 4] {
                let side = 3 * LumaPicture.side
                let bytes = (0..<side * side).map { index in
                    let code = picture.codes[index / side / 3 * LumaPicture.side + index % side / 3]
                    return UInt8(clamping: Int((code + Double.random(in: -noise...noise, using: &random)).rounded()))
                }
                let pixels: [UInt8] = bytes.flatMap { [$0, $0, $0, 0] }
                let gray = try PixelView(bytes.span, format: .gray8, width: side, height: side, bytesPerRow: side)
                let color = try PixelView(pixels.span, format: .bgra, width: side, height: side, bytesPerRow: 4 * side)
                let grayEnergies = energies(of: gray)
                #expect(grayEnergies == energies(of: color))
                worst = max(worst, abs(try #require(grayEnergies.sharpness) - expected))
            }
        }
        #expect(worst < (blur == 0 ? 0.05 : 0.01))
    }

    @Test func agreesWithPlainLoops() {
        var random = SplitMix64(seed: 8)
        let codes = (0..<(224 * 224)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        for phase in [0, 1, 2, 17, 31, 32, 1001, -1, Int.min] {
            let found = codes.gradients(phase)
            var expected = [[0.0, 0, 0, 0], [0, 0, 0, 0]]
            var count = 0.0
            let first = ((phase % 32 + 32) % 32) * 11 % 32
            for y in 0..<216 where y % 32 == first {
                for x in 0..<216 where x % 4 == (phase % 4 + 4) % 4 {
                    count += 1
                    let at = y * 224 + x
                    for (index, distance) in [1, 2, 4, 8].enumerated() {
                        let along = Double(codes[at + distance]) - Double(codes[at])
                        let across = Double(codes[at + 224 * distance]) - Double(codes[at])
                        expected[0][index] += along * along
                        expected[1][index] += across * across
                    }
                }
            }
            for index in 0..<4 {
                #expect(abs(found.horizontal[index] - expected[0][index] / count) < 1e-6, "\(phase)")
                #expect(abs(found.vertical[index] - expected[1][index] / count) < 1e-6, "\(phase)")
            }
        }
    }

    @Test func stepsAreCrispAndRampsSoft() throws {
        let steps = try #require(energies(LumaPicture { x, _ in x / 16 % 2 == 0 ? 60 : 160 }).sharpness)
        #expect(abs(steps - 0.25) < 0.02)
        let ramp = try #require(energies(LumaPicture { x, _ in Double(x) }).sharpness)
        #expect(abs(ramp - 3.0 / 48) < 1e-9)
        let columns = try #require(energies(LumaPicture { _, y in Double(y) }).sharpness)
        #expect(abs(columns - 3.0 / 48) < 1e-9)
    }

    @Test func withoutContrastThereIsNothingToTell() {
        #expect(energies(LumaPicture { _, _ in 90 }).sharpness == nil)
        for sigma in [2.0, 10] {
            #expect(energies(LumaPicture { _, _ in 90 }.noisy(sigma, seed: 1)).sharpness == nil)
        }
    }

    /// Noise hides neither that a picture is soft nor that it is crisp.
    @Test(arguments: [0.0, 4, 10]) func blurIsSeenThroughNoise(noise: Double) throws {
        for seed in 0..<4 {
            let picture = LumaPicture.leaves(seed: UInt64(seed))
            func sharpness(_ blur: Double) throws -> Double {
                try #require(energies(picture.blurred(blur).noisy(noise, seed: UInt64(seed) + 9)).sharpness)
            }
            let (crisp, slight, soft, softer) = (
                try sharpness(0), try sharpness(1), try sharpness(3), try sharpness(5)
            )
            #expect(crisp > 0.13 && slight > 0.1, "seed \(seed): \(crisp), \(slight)")
            #expect(soft < 0.09 && softer < 0.085, "seed \(seed): \(soft), \(softer)")
            let clean = try #require(energies(picture.blurred(3)).sharpness)
            #expect(abs(soft - clean) < 0.012, "seed \(seed)")
        }
    }

    /// Movement of the camera along one axis: thirteen pixels during the exposure.
    @Test func blurOfOneDirectionCounts() throws {
        let (smear, point) = ([Double](repeating: 1.0 / 13, count: 13), [1.0])
        for seed in 0..<4 {
            let picture = LumaPicture.leaves(seed: UInt64(seed) + 40)
            for moved in [picture.folded(rows: smear, columns: point), picture.folded(rows: point, columns: smear)] {
                let sharpness = try #require(energies(moved.noisy(3, seed: 2)).sharpness)
                #expect(sharpness < 0.09, "seed \(seed): \(sharpness)")
            }
        }
    }
}
