public import ArgumentParser
public import Frames
public import Network
public import Scheduling

extension Backend: ExpressibleByArgument {}

extension CropMode: ExpressibleByArgument {
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

extension Pace: ExpressibleByArgument {
    /// One of the three names.
    public init?(argument: String) {
        guard let pace = Self.allCases.first(where: { "\($0)" == argument }) else { return nil }
        self = pace
    }

    /// For the help text, which would else show the raw values.
    public static var allValueStrings: [String] { allCases.map { "\($0)" } }
    /// The names say it all.
    public static var allValueDescriptions: [String: String] { [:] }
    /// For the help text.
    public var defaultValueDescription: String { "\(self)" }
}

/// An option that is on or off.
enum Switch: String, ExpressibleByArgument {
    case on, off
}
