import KernelInterface
import Kernels
import ModelFile
import Network
import PixelFrontEnd
import TestSupport
import Testing
import Vocabulary

/// The temporal layers over columns that are given, at every stride of the taps.
@Suite struct ColumnStrideTests {
    private static let tiers = KernelRegistry.available.map(\.tier)

    private static func program(_ backend: Backend, _ tier: String) throws -> PackedLayers {
        let model = try backend == .int8 ? ModelFile(bytes: ColumnModel.int8()) : ModelFile.load(path: ColumnModel.path)
        return try program(model, backend, tier)
    }

    private static func program(_ model: ModelFile, _ backend: Backend, _ tier: String) throws -> PackedLayers {
        let kernels = try #require(KernelRegistry.available.first { $0.tier == tier })
        return try PackedLayers(NetworkWeights(model: model), backend: backend, kernels: kernels)
    }

    private static func columns(seed: UInt64, _ count: Int) -> [[UInt8]] {
        var random = SplitMix64(seed: seed)
        return (0..<count).map { _ in
            (0..<GestureTCN.featureCount).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        }
    }

    @Test(arguments: Backend.allCases, tiers)
    func repeatedColumnsAnswerLikeOneEach(backend: Backend, tier: String) throws {
        let program = try Self.program(backend, tier)
        let columns = Self.columns(seed: 5, 40)
        let plain = NetworkUnit(program)
        let expected = columns.map { plain.push($0) }
        for stride in [2, 4] {
            let given = NetworkUnit(program, columnStride: stride)
            let repeated = NetworkUnit(program, columnStride: stride)
            for (index, column) in columns.enumerated() {
                for copy in 0..<stride {
                    let logits = given.push(column)
                    #expect((copy == 0 ? repeated.push(column) : repeated.pushRepeat()) == logits)
                    // Warm from the last column of a full window on.
                    let isWarm = index * stride + copy >= 16 * stride - 1
                    #expect((logits != nil) == isWarm)
                    if isWarm, index >= 16 { #expect(logits == expected[index]) }
                    if copy == stride - 1 { #expect(logits == expected[index]) }
                }
            }
        }
    }

    /// `stride` streams of their own, a column of each in turn: no tap reads another's.
    @Test(arguments: Backend.allCases, [2, 4])
    func interleavedStreamsDoNotMix(backend: Backend, stride: Int) throws {
        let program = try Self.program(backend, try #require(Self.tiers.first))
        let streams = (0..<stride).map { Self.columns(seed: UInt64(10 + $0), 40) }
        let plain = streams.map { _ in NetworkUnit(program) }
        let interleaved = NetworkUnit(program, columnStride: stride)
        var compared = 0
        for index in 0..<40 {
            for stream in 0..<stride {
                let expected = plain[stream].push(streams[stream][index])
                guard let found = interleaved.push(streams[stream][index]) else { continue }
                // The last of the interleaved streams is warm at the same column, the others a column later.
                if let expected {
                    #expect(found == expected)
                    compared += 1
                }
            }
        }
        #expect(compared >= 24 * stride)
    }

    @Test(arguments: Backend.allCases, [1, 2, 4])
    func resetForgetsEverything(backend: Backend, stride: Int) throws {
        let program = try Self.program(backend, try #require(Self.tiers.first))
        let columns = Self.columns(seed: 9, 20 * stride)
        let (unit, fresh) = (NetworkUnit(program, columnStride: stride), NetworkUnit(program, columnStride: stride))
        for column in columns.reversed() { _ = unit.push(column) }
        unit.reset()
        for column in columns { #expect(unit.push(column) == fresh.push(column)) }
        #expect(unit.isWarm)
    }

    /// Int8 against float over the same model: logits that go up and down together.
    @Test func int8FollowsFloat() throws {
        let tier = try #require(Self.tiers.first)
        let model = try ModelFile(bytes: ColumnModel.int8())
        let (int8, float) = (
            NetworkUnit(try Self.program(model, .int8, tier)), NetworkUnit(try Self.program(model, .float, tier))
        )
        var (difference, size): (Float, Float) = (0, 0)
        for column in Self.columns(seed: 3, 60) {
            guard let a = int8.push(column), let b = float.push(column) else { continue }
            let middle = b.reduce(0, +) / Float(b.count)
            for index in a.indices {
                difference += (a[index] - b[index]) * (a[index] - b[index])
                size += (b[index] - middle) * (b[index] - middle)
            }
        }
        #expect(size > 0)
        #expect(difference < 0.05 * size, "\(difference) of \(size)")
    }

    /// A float model has no codes to run in int8.
    @Test func floatModelsDoNotRunInInt8() throws {
        let weights = try NetworkWeights(float: RandomModel.floats(seed: 4), classCount: 13, frontEnd: .landmarks)
        let kernels = KernelRegistry.select()
        #expect(throws: NetworkError.self) { try PackedLayers(weights, backend: .int8, kernels: kernels) }
    }

    @Test func tiersAgreeInInt8() throws {
        let columns = Self.columns(seed: 8, 24)
        let answers = try Self.tiers.map { tier in
            let unit = NetworkUnit(try Self.program(.int8, tier), columnStride: 1)
            return columns.map { unit.push($0) }
        }
        for answer in answers { #expect(answer == answers[0]) }
    }

    @Test func stridesOfTheRates() {
        #expect([30, 60, 120].map(FrontEnd.landmarks.columnStride) == [1, 2, 4])
        #expect([30, 60, 120].map(FrontEnd.pixels.columnStride) == [1, 1, 1])
    }

    @Test func namesOfTheNetworks() {
        for frontEnd in FrontEnd.allCases { #expect(FrontEnd(networkName: frontEnd.networkName) == frontEnd) }
        #expect(FrontEnd(networkName: "LandmarkTCN") == nil)
        #expect(
            FrontEnd.landmarks.layers().map(\.name)
                == (GestureTCN.temporal + [GestureTCN.classifier(classCount: 13)]).map(\.name))
    }

    /// A pixel model's layers are not those of landmarks, whatever the file calls itself.
    @Test func layersOfTheOtherNetworkAreRefused() throws {
        let pixels = RandomModel.floats(seed: 2)
        #expect(throws: Never.self) { try NetworkWeights(float: pixels, classCount: 13, frontEnd: .landmarks) }
        let layers = FrontEnd.landmarks.layers().map(\.name)
        let landmarks = pixels.filter { layers.contains($0.key) }
        #expect(throws: ModelFileError.self) { try NetworkWeights(float: landmarks, classCount: 13) }
    }
}
