import Frames
import Testing
import Tracking

@Suite struct SceneWatchTests {
    /// Dim light: the hand changes a block by a quarter of what it would in a bright room.
    @Test func aChangeCountsByTheContrast() throws {
        for (isDim, expected) in [(false, 1.5...2.5), (true, 6...10)] {
            var watch = SceneWatch()
            /// The first block is brighter by some codes; in a bright room half of the picture is light.
            func observe(brighterBy codes: UInt8) throws -> Double {
                var pixels = [UInt8](repeating: 60, count: 4 * 320 * 240)
                for row in 0..<240 {
                    for byte in 0..<1_280 {
                        if !isDim, byte >= 640 { pixels[row * 1_280 + byte] = 220 }
                        if row < 20, byte < 104 { pixels[row * 1_280 + byte] += codes }
                    }
                }
                let view = try PixelView(pixels.span, format: .rgba, width: 320, height: 240, bytesPerRow: 1_280)
                return watch.observe(at: view)
            }
            _ = try observe(brighterBy: 0)
            watch.remember()
            let change = try observe(brighterBy: 2)
            #expect(expected.contains(change), "\(change)")
        }
    }
}
