import Frames
import Testing
import Tracking

@Suite struct SceneBlocksTests {
    /// Dim light: the hand changes a block by a quarter of what it would in a bright room.
    @Test func aChangeCountsByTheContrast() throws {
        for (isDim, expected) in [(false, 1.5...2.5), (true, 6...10)] {
            /// The first block is brighter by some codes; in a bright room half of the picture is light.
            func blocks(brighterBy codes: UInt8) throws -> SceneBlocks {
                var pixels = [UInt8](repeating: 60, count: 4 * 320 * 240)
                for row in 0..<240 {
                    for byte in 0..<1_280 {
                        if !isDim, byte >= 640 { pixels[row * 1_280 + byte] = 220 }
                        if row < 20, byte < 104 { pixels[row * 1_280 + byte] += codes }
                    }
                }
                let view = try PixelView(pixels.span, format: .rgba, width: 320, height: 240, bytesPerRow: 1_280)
                return SceneBlocks(of: view, orientation: .up)
            }
            let change = try blocks(brighterBy: 2).change(since: blocks(brighterBy: 0))
            #expect(expected.contains(change), "\(change)")
        }
    }
}
