import Foundation
import Frames
import PixelFrontEnd
import Vocabulary

/// A 224 x 224 luma picture for tests, in real numbers until it is stored.
struct LumaPicture {
    static let side = 224
    var codes: [Double]

    init(_ code: (_ x: Int, _ y: Int) -> Double) {
        codes = (0..<(Self.side * Self.side)).map { code($0 % Self.side, $0 / Self.side) }
    }

    /// Opaque rectangles and discs of all sizes over each other, with hard edges: its spectrum is that of natural pictures.
    static func leaves(seed: UInt64, codes range: ClosedRange<Double> = 20...180) -> LumaPicture {
        var random = SplitMix64(seed: seed)
        var picture = LumaPicture { _, _ in (range.lowerBound + range.upperBound) / 2 }
        for index in 0..<150 {
            let size = 60 / (1 + 0.05 * Double(index)) + Double.random(in: 2...12, using: &random)
            let (x, y) = (Double.random(in: 0..<224, using: &random), Double.random(in: 0..<224, using: &random))
            let code = Double.random(in: range, using: &random)
            let flat = Double.random(in: 0.5...2, using: &random)
            for row in max(0, Int(y - size))...min(223, Int(y + size)) {
                for column in max(0, Int(x - size * flat))...min(223, Int(x + size * flat)) {
                    let (dx, dy) = ((Double(column) - x) / flat, Double(row) - y)
                    if index % 2 == 0 || dx * dx + dy * dy < size * size { picture.codes[row * 224 + column] = code }
                }
            }
        }
        return picture
    }

    func map(_ transform: (Double) -> Double) -> LumaPicture {
        var result = self
        result.codes = codes.map(transform)
        return result
    }

    /// Rows and columns folded with weights around their middle; edges repeat.
    func folded(rows: [Double], columns: [Double]) -> LumaPicture {
        let along = LumaPicture { x, y in
            rows.indices.reduce(0) {
                $0 + rows[$1] * codes[y * 224 + min(max(x + $1 - rows.count / 2, 0), 223)]
            }
        }
        return LumaPicture { x, y in
            columns.indices.reduce(0) {
                $0 + columns[$1] * along.codes[min(max(y + $1 - columns.count / 2, 0), 223) * 224 + x]
            }
        }
    }

    func blurred(_ sigma: Double) -> LumaPicture {
        guard sigma > 0 else { return self }
        let radius = Int((3 * sigma).rounded(.up))
        let weights = (-radius...radius).map { exp(-Double($0 * $0) / (2 * sigma * sigma)) }
        let sum = weights.reduce(0, +)
        let kernel = weights.map { $0 / sum }
        return folded(rows: kernel, columns: kernel)
    }

    /// White noise, near enough normal: the sum of twelve uniform numbers.
    func noisy(_ sigma: Double, seed: UInt64) -> LumaPicture {
        guard sigma > 0 else { return self }
        var random = SplitMix64(seed: seed)
        return map { code in
            let sum = (0..<3).reduce(0.0) { total, _ in
                let bits = random.next()
                return total + Double(bits & 0xFFFF) + Double(bits >> 16 & 0xFFFF) + Double(bits >> 32 & 0xFFFF)
                    + Double(bits >> 48)
            }
            return code + sigma * (sum / 65_536 - 6)
        }
    }

    /// As a frame stores it.
    var bytes: [UInt8] { codes.map { UInt8(min(max($0.rounded(), 0), 255)) } }

    var mean: Double { codes.reduce(0, +) / Double(codes.count) }
}

extension [UInt8] {
    var meanCode: Double { Double(reduce(0) { $0 + Int($1) }) / Double(count) }

    /// With a map applied as the engine does it.
    func mapped(_ map: ToneMap) -> [UInt8] {
        var result = self
        var span = result.mutableSpan
        map.apply(to: &span)
        return result
    }

    var measures: LumaMeasures { withView { LumaMeasures(of: $0) } }

    func gradients(_ phase: Int) -> GradientEnergies { withView { GradientEnergies(of: $0, phase: phase) } }

    /// The bytes as a gray frame of 224 x 224.
    func withView<Result>(_ body: (borrowing PixelView) -> Result) -> Result {
        do {
            return body(try PixelView(span, format: .gray8, width: 224, height: 224, bytesPerRow: 224))
        } catch {
            fatalError("\(error)")
        }
    }
}

/// A frame's worth of one code.
func plain(_ code: UInt8) -> [UInt8] { [UInt8](repeating: code, count: 224 * 224) }

/// Nanoseconds of frame n at a rate.
func nanoseconds(_ n: Int, rate: Int) -> Int64 { Int64(n) * 1_000_000_000 / Int64(rate) }
