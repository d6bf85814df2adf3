import Foundation
import FuzzTargets
import Testing
import Vocabulary

/// What `Tools/gates/fuzz` has found, and mutations of it, through every target: bytes are refused or taken, and never end the process.
@Suite(.serialized) struct FuzzTargetTests {
    /// The targets whose readers have longer mutation tests of their own: `MutationTests`, `GraphMutationTests`,
    /// `FormatMutationTests`.
    private static let mutatedElsewhere: Set<FuzzTarget> = [.safetensors, .bundle, .npz, .torch, .onnx]
    /// Mutations of a target; `FUZZ_MUTATIONS` sets another number.
    private static let count = ProcessInfo.processInfo.environment["FUZZ_MUTATIONS"].flatMap { Int($0) } ?? 4_000

    private static func corpus(_ target: FuzzTarget) throws -> [[UInt8]] {
        try FileManager.default.contentsOfDirectory(at: target.corpus, includingPropertiesForKeys: nil)
            .sorted { $0.lastPathComponent < $1.lastPathComponent }
            .map { [UInt8](try Data(contentsOf: $0)) }
    }

    /// Among the committed inputs are some that are taken and some that are refused.
    @Test(arguments: FuzzTarget.allCases) func corpusIsTakenOrRefused(_ target: FuzzTarget) throws {
        let taken = try Self.corpus(target).map { target.enter($0) }
        #expect(taken.contains(true), "no input is taken")
        #expect(taken.contains(false), "no input is refused")
    }

    @Test(arguments: FuzzTarget.allCases.filter { !mutatedElsewhere.contains($0) })
    func mutationsAreTakenOrRefused(_ target: FuzzTarget) throws {
        let corpus = try Self.corpus(target)
        var random = SplitMix64(seed: 20_261_126)
        var taken = 0
        let count = target == .frame ? Self.count / 8 : Self.count
        for index in 0..<count {
            let bytes = Self.mutated(corpus[index % corpus.count], corpus, &random)
            if target.enter(bytes) { taken += 1 }
        }
        // The rules of a pointer would hold if it never pressed.
        let least = target == .pointer ? count / 20 : 0
        #expect(taken > least && taken < count, "\(taken) of \(count) are taken")
    }

    private static let numbers: [UInt64] = [
        0, 1, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0xFFFF, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, .max >> 1, 1 << 63, .max,
    ]

    /// One to four changes: of bits, bytes, numbers, lengths, and pieces of this input or of another.
    private static func mutated(_ input: [UInt8], _ corpus: [[UInt8]], _ random: inout SplitMix64) -> [UInt8] {
        func draw(_ limit: Int) -> Int { Int(random.next(below: UInt64(max(limit, 1)))) }
        var bytes = input
        for _ in 0...draw(4) {
            guard !bytes.isEmpty else { return [UInt8(draw(256))] }
            let index = draw(bytes.count)
            switch draw(9) {
            case 0, 1: bytes[index] ^= 1 << UInt8(draw(8))
            case 2: bytes[index] = UInt8(draw(256))
            case 3: bytes[index] = bytes[index] &+ (draw(2) == 0 ? 1 : .max)
            case 4:
                let number = numbers[draw(numbers.count)]
                for byte in 0..<[1, 2, 4, 8][draw(4)] where index + byte < bytes.count {
                    bytes[index + byte] = UInt8(truncatingIfNeeded: number >> UInt64(8 * byte))
                }
            case 5:
                let other = corpus[draw(corpus.count)]
                let start = draw(other.count)
                bytes.insert(contentsOf: other[min(start, other.count)..<min(other.count, start + draw(40))], at: index)
            case 6: bytes.removeSubrange(index..<min(bytes.count, index + 1 + draw(16)))
            case 7:
                bytes.insert(contentsOf: bytes[index..<min(bytes.count, index + 1 + draw(16))], at: draw(bytes.count))
            default: bytes.removeLast(bytes.count - index)
            }
        }
        return bytes
    }
}
