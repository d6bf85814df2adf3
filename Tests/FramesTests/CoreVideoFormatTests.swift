import Frames
import Testing

@Suite struct CoreVideoFormatTests {
    private static func code(_ text: String) -> UInt32 { text.utf8.reduce(0) { $0 << 8 | UInt32($1) } }

    @Test func codesOfCameras() {
        #expect(PixelView.Format(coreVideo: Self.code("420v")) == .nv12(.video))
        #expect(PixelView.Format(coreVideo: Self.code("420f")) == .nv12(.full))
        #expect(PixelView.Format(coreVideo: Self.code("BGRA")) == .bgra)
        #expect(PixelView.Format(coreVideo: Self.code("L008")) == .gray8)
    }

    /// Unsupported formats: ten bits, other channel orders, 4:2:2, half floats, no format.
    @Test(arguments: ["x420", "xf20", "ARGB", "RGBA", "422v", "2vuy", "yuvs", "y420", "L016", "L00h"])
    func otherCodesAreNone(_ text: String) {
        #expect(PixelView.Format(coreVideo: Self.code(text)) == nil)
        #expect("\(PixelView.FrameError.pixelFormat(Self.code(text)))".contains("'\(text)'"))
    }

    /// Core Video has codes that are numbers: 32 is ARGB.
    @Test func aCodeWithoutCharactersIsANumber() {
        #expect(PixelView.Format(coreVideo: 32) == nil && PixelView.Format(coreVideo: 0) == nil)
        #expect("\(PixelView.FrameError.pixelFormat(32))".contains("0x20"))
    }
}
