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

/// An option that is on or off.
enum Switch: String, ExpressibleByArgument {
    case on, off
}

extension FrontEnd: ExpressibleByArgument {}
extension GestureEngine.Sensitivity: ExpressibleByArgument {}
