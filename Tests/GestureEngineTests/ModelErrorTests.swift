import Foundation
import GestureEngine
import ModelFile
import PixelFrontEnd
import TestSupport
import Testing
import TrackerInference
import Vocabulary

/// Invalid models give a named error; they neither run nor trap.
@Suite struct ModelErrorTests {
    private static func bytes() throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: Fixtures.golden("golden-int8.safetensors"))))
    }

    /// The file with one text in its header replaced by another of the same length, and the content hash to match.
    private static func replacing(_ old: String, with new: String) throws -> [UInt8] {
        var data = Data(try bytes())
        #expect(old.utf8.count == new.utf8.count)
        let range = try #require(data.range(of: Data(old.utf8)))
        data.replaceSubrange(range, with: Data(new.utf8))
        return try #require(Sealing.resealed([UInt8](data)))
    }

    private static func error(_ bytes: [UInt8]) -> EngineError? {
        do throws(EngineError) {
            _ = try GestureEngine(pixels: .bytes(bytes))
            return nil
        } catch {
            return error
        }
    }

    @Test func soundBytesLoad() throws {
        #expect(Self.error(try Self.bytes()) == nil)
    }

    @Test func absentFile() {
        #expect(throws: EngineError.model(.unreadable(path: "/nowhere/model", code: 2))) {
            try GestureEngine(pixels: .file(path: "/nowhere/model"))
        }
    }

    @Test func aFileIsReadIfItIsTheOneThatWasNamed() throws {
        let path = Fixtures.golden("golden-int8.safetensors")
        let digest = SHA256.hexadecimal(of: try Self.bytes())
        for digits in [digest, digest.uppercased()] {
            let bytes = try GestureEngine.verifiedBytes(ofFile: path, sha256: digits)
            #expect(Self.error(bytes) == nil)
        }
    }

    @Test(arguments: ["", "0", String(repeating: "0", count: 64), String(repeating: "é", count: 64)])
    func anotherFileIsRefused(_ digits: String) throws {
        let path = Fixtures.golden("golden-int8.safetensors")
        let found = SHA256.hexadecimal(of: try Self.bytes())
        #expect(throws: EngineError.file(path: path, .otherDigest(expected: digits, found: found))) {
            try GestureEngine.verifiedBytes(ofFile: path, sha256: digits)
        }
    }

    @Test func aNamedFileThatIsAbsent() {
        #expect(throws: EngineError.model(.unreadable(path: "/nowhere/model", code: 2))) {
            try GestureEngine.verifiedBytes(ofFile: "/nowhere/model", sha256: "")
        }
    }

    @Test func emptyAndTruncated() throws {
        #expect(Self.error([]) == .model(.otherFormat(.empty)))
        let bytes = try Self.bytes()
        #expect(
            Self.error(Array(bytes.dropLast())) == .model(.truncated(expected: bytes.count, actual: bytes.count - 1)))
        #expect(
            Self.error(bytes + [0]) == .model(.trailingBytes(expected: bytes.count, actual: bytes.count + 1)))
    }

    @Test func anotherNetwork() throws {
        let bytes = try Self.replacing("GestureTCN-340K", with: "GestureTCN-999K")
        #expect(Self.error(bytes) == .model(.wrongNetwork(expected: "GestureTCN-340K", found: "GestureTCN-999K")))
    }

    @Test func aLayerUnderAnotherName() throws {
        let bytes = try Self.replacing("\"b4b.pw.weight\"", with: "\"b4c.pw.weight\"")
        #expect(Self.error(bytes) != nil)
    }

    @Test func anotherShape() throws {
        let bytes = try Self.replacing("[160,128,3]", with: "[128,160,3]")
        guard case .model(.wrongShape(let tensor, _, _)) = Self.error(bytes) else {
            Issue.record("accepted or refused for another reason")
            return
        }
        #expect(tensor.hasPrefix("t1.conv"))
    }

    @Test func scalesThatCannotBeRun() throws {
        let text = String(decoding: try Self.bytes().prefix(20_000), as: UTF8.self)
        let start = try #require(text.range(of: "\"activation_scale.b6.pw\":\""))
        let end = try #require(text.range(of: "\"", range: start.upperBound..<text.endIndex))
        let value = String(text[start.upperBound..<end.lowerBound])
        for bad in ["9", "0"] {
            let padded = bad + "." + String(repeating: "0", count: value.count - 2)
            let bytes = try Self.replacing(
                "\"activation_scale.b6.pw\":\"" + value, with: "\"activation_scale.b6.pw\":\"" + padded)
            guard case .model(.malformedMetadata(let key, _)) = Self.error(bytes) else {
                Issue.record("scale \(bad) accepted")
                continue
            }
            #expect(key == "activation_scale.b6.pw")
        }
    }

    /// An activation scale so small that requantised sums would leave int32, where tiers differ.
    @Test func multipliersBeyondInt32() throws {
        let bytes = try Self.replacing(
            "\"activation_scale.b6.pw\":\"0.023529412\"", with: "\"activation_scale.b6.pw\":\"0.000000001\"")
        #expect(Self.error(bytes) == .model(.invalidValue(tensor: "b6.pw.scale", index: 0)))
    }

    /// Every bit of the header and of a stride over the tensors: another model is never taken for the one that was written.
    @Test func everyFlippedBitIsRefused() throws {
        var bytes = try Self.bytes()
        let headerEnd = 8 + bytes[..<8].reversed().reduce(0) { $0 << 8 | Int($1) }
        let bits = Array(0..<8 * headerEnd) + stride(from: 8 * headerEnd, to: 8 * bytes.count, by: 28_391)
        var accepted: [Int] = []
        for bit in bits {
            bytes[bit / 8] ^= 1 << UInt8(bit % 8)
            if (try? ModelFile(bytes: bytes)) != nil { accepted.append(bit) }
            bytes[bit / 8] ^= 1 << UInt8(bit % 8)
        }
        #expect(accepted.isEmpty && bits.count > 50_000)
    }

    /// Headers that were changed and sealed again either load or are a typed error.
    @Test func mutatedHeadersNeverTrap() throws {
        let bytes = try Self.bytes()
        var generator = SplitMix64(seed: 61)
        for _ in 0..<2_000 {
            var mutated = bytes
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                mutated[Int.random(in: 0..<8_000, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            let isTheSame = mutated == bytes
            #expect(isTheSame == (Self.error(mutated) == nil))
            if let sealed = Sealing.resealed(mutated) { _ = Self.error(sealed) }
        }
    }
}
