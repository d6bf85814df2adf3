import Foundation
import Frames
import GestureEngine
import PixelFrontEnd
import Testing
import Vocabulary

@Suite struct PixelConfigurationTests {
    private static let unusual: PixelConfiguration = {
        var pixels = PixelConfiguration(
            isMirrored: true, crop: .fill, antialiased: false, backend: .float, units: ["float", "int8"],
            unitLatencyLimit: .milliseconds(8))
        pixels.exposure = ExposureConfiguration(targetMean: 50...120, targetContrast: 30)
        return pixels
    }()

    @Test func codingKeepsEveryValue() throws {
        let data = try JSONEncoder().encode(Self.unusual)
        #expect(try JSONDecoder().decode(PixelConfiguration.self, from: data) == Self.unusual)
    }

    /// The switch of exposure turns it on with its defaults, and keeps what is there.
    @Test func theSwitchKeepsWhatIsSet() {
        var pixels = Self.unusual
        pixels.evensExposure = true
        #expect(pixels == Self.unusual)
        pixels.evensExposure = false
        #expect(pixels.exposure == nil)
        pixels.evensExposure = true
        #expect(pixels.exposure == ExposureConfiguration())
    }

    @Test func everyPartIsChecked() throws {
        try PixelConfiguration().validate()
        try Self.unusual.validate()
        let faults: [(String, (inout PixelConfiguration) -> Void)] = [
            ("UnitSelection.improvement", { $0.unitSelection.improvement = .nan }),
            ("PixelConfiguration.unitLatencyLimit", { $0.unitLatencyLimit = .zero }),
            ("ExposureConfiguration.deadband", { $0.exposure = ExposureConfiguration(deadband: 7) }),
        ]
        for (parameter, spoil) in faults {
            var pixels = PixelConfiguration()
            spoil(&pixels)
            do throws(ConfigurationError) {
                try pixels.validate()
                Issue.record("\(parameter) passed")
            } catch {
                #expect(error.parameter == parameter)
            }
        }
    }
}
