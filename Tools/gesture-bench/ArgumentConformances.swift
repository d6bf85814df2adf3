public import ArgumentParser
public import Frames
public import GestureEngine
public import Network
import Vocabulary

extension Backend: ExpressibleByArgument {}

extension PixelView.CropMode: ExpressibleByArgument {
    /// One of the three names.
    public init?(argument: String) {
        switch argument {
        case "stretch": self = .stretch
        case "fit": self = .fit
        case "fill": self = .fill
        default: return nil
        }
    }

    /// For the help text.
    public var defaultValueDescription: String { "stretch" }
}

/// `SchedulerState.Pace` by name; its raw values are slots.
enum PaceName: String, CaseIterable, ExpressibleByArgument {
    case full, half, third, sixth
}

/// A pose that arms the stream, by its name here or MediaPipe's, and for how long: `openPalm` or `Open_Palm:20`.
struct WakePose: ExpressibleByArgument {
    let configuration: GestureEngine.Configuration.Wake

    init?(argument: String) {
        let parts = argument.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard
            let pose = TrackedHand.Pose.Name.allCases.first(where: {
                ["\($0)", $0.rawValue].contains(String(parts[0]))
            })
        else { return nil }
        var wake = GestureEngine.Configuration.Wake(pose: pose)
        if parts.count == 2 {
            guard let seconds = Double(parts[1]), (1...3600).contains(seconds) else { return nil }
            wake.window = .seconds(seconds)
        }
        guard (try? wake.validate()) != nil else { return nil }
        configuration = wake
    }

    static var allValueStrings: [String] {
        TrackedHand.Pose.Name.allCases.filter { $0 != .unknown }.map { "\($0)" }
    }
}

/// An option that is on or off.
enum Switch: String, ExpressibleByArgument {
    case on, off
}

extension FrontEnd: ExpressibleByArgument {}
extension GestureEngine.Sensitivity: ExpressibleByArgument {}
extension EnrolmentConfiguration.Kind: ExpressibleByArgument {}
