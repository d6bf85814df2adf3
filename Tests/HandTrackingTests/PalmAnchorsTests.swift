import HandTracking
import Testing
import Tracking

@Suite struct PalmAnchorsTests {
    /// Strides 8 and three times 16 of 192; two anchors a cell and layer.
    @Test func anchors() {
        let anchors = BoxAnchors.palms
        #expect(anchors.count == 2_016 && anchors.side == 192 && anchors.numbersPerBox == 18)
        for (index, place) in [
            (0, SIMD2<Float>(4, 4)), (1, SIMD2(4, 4)), (2, SIMD2(12, 4)), (1_151, SIMD2(188, 188)),
            (1_152, SIMD2(8, 8)), (2_015, SIMD2(184, 184)),
        ] {
            #expect(anchors.centers[index] == place / 192, "anchor \(index)")
        }
    }
}
