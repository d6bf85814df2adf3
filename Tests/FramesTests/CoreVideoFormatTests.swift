import Frames
import Testing

@Suite struct CoreVideoFormatTests {
    private static func code(_ text: String) -> UInt32 { text.utf8.reduce(0) { $0 << 8 | UInt32($1) } }

    @Test func codesOfCameras() {
        #expect(PixelFormat(coreVideo: Self.code("420v")) == .nv12(.video))
        #expect(PixelFormat(coreVideo: Self.code("420f")) == .nv12(.full))
        #expect(PixelFormat(coreVideo: Self.code("BGRA")) == .bgra)
        #expect(PixelFormat(coreVideo: Self.code("L008")) == .gray8)
    }

    /// Ten bits, other orders of channels, 4:2:2, half floats, none.
    @Test(arguments: ["x420", "xf20", "ARGB", "RGBA", "422v", "2vuy", "yuvs", "y420", "L016", "L00h"])
    func otherCodesAreNone(_ text: String) {
        #expect(PixelFormat(coreVideo: Self.code(text)) == nil)
        #expect("\(FrameError.pixelFormat(Self.code(text)))".contains("'\(text)'"))
    }

    /// Core Video has codes that are numbers: 32 is ARGB.
    @Test func aCodeWithoutCharactersIsANumber() {
        #expect(PixelFormat(coreVideo: 32) == nil && PixelFormat(coreVideo: 0) == nil)
        #expect("\(FrameError.pixelFormat(32))".contains("0x20"))
    }
}
