import Frames
import KernelsPortable
import Preprocessing
import Testing
import Vocabulary

@Suite struct LumaStageTests {
    private static func stage(_ level: UInt8, in luma: inout LumaStage, at time: Int64 = 0) throws {
        let bytes = [UInt8](repeating: level, count: 224 * 224)
        luma.stage(try PixelView(bytes.span, format: .gray8, width: 224, height: 224, bytesPerRow: 224), at: time)
    }

    private static func level(_ frame: StagedFrame?) -> UInt8? {
        var level: UInt8?
        frame?.withView { view in
            let bytes = view.bytes
            level = bytes[0] == bytes[bytes.count - 1] && bytes.count == 224 * 224 ? bytes[0] : nil
        }
        return level
    }

    private static func levelWaiting(_ luma: borrowing LumaStage) -> UInt8 {
        var level: UInt8 = 0
        luma.withWaiting { level = $0[0] }
        return level
    }

    private static func make() throws -> LumaStage {
        try LumaStage(geometry: FrameGeometry(), kernels: portableResizeKernels, conditions: nil)
    }

    /// While a frame waits, later frames are staged beside it, and the newest stays as it is.
    @Test func theNewestStaysWhileOthersWait() throws {
        var luma = try Self.make()
        #expect(Self.level(luma.publish()) == nil)
        try Self.stage(1, in: &luma)
        #expect(Self.level(luma.publish()) == nil)
        luma.keep()
        let first = luma.publish()
        #expect(Self.level(first) == 1)
        var waiting: UInt8 = 1
        for level in UInt8(2)...60 {
            try Self.stage(level, in: &luma)
            // Every third frame is left out.
            if level % 3 != 0 {
                luma.keep()
                waiting = level
            }
            let kept = Self.levelWaiting(luma)
            #expect(Self.level(first) == 1 && kept == waiting)
        }
        #expect(Self.level(luma.publish()) == 59)
        #expect(Self.level(luma.publish()) == 59)
    }

    /// The difference is that between the staged frame and the newest, whatever waits.
    @Test func differencesAreFromTheNewest() throws {
        var luma = try Self.make()
        try Self.stage(10, in: &luma)
        let withoutNewest = luma.difference == nil
        #expect(withoutNewest)
        luma.keep()
        _ = luma.publish()
        try Self.stage(10, in: &luma)
        let same = luma.difference?.mean
        luma.keep()
        try Self.stage(30, in: &luma)
        let other = luma.difference?.mean
        #expect(same == 0 && other == 20)
    }

    /// A second of darkness, until the stage is reset.
    @Test func stagedFramesAreMeasured() throws {
        var luma = try LumaStage(
            geometry: FrameGeometry(), kernels: portableResizeKernels,
            conditions: FrameConditions(exposure: nil, quality: QualityConfiguration()))
        for frame in 0..<30 { try Self.stage(2, in: &luma, at: Int64(frame) * 33_333_333) }
        let isDark = luma.quality.contains(.lowLight)
        luma.reset()
        let isForgotten = luma.quality == []
        #expect(isDark && isForgotten)
    }

    @Test func resetForgets() throws {
        var luma = try Self.make()
        try Self.stage(5, in: &luma)
        luma.keep()
        _ = luma.publish()
        try Self.stage(6, in: &luma)
        luma.keep()
        luma.reset()
        let isForgotten = luma.difference == nil
        #expect(isForgotten && Self.level(luma.publish()) == nil)
        try Self.stage(7, in: &luma)
        luma.keep()
        #expect(Self.level(luma.publish()) == 7)
    }
}
