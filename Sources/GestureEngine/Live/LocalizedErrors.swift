import TrackerInference
import Vocabulary

// Gives errors a `localizedDescription`, for apps that show it. The protocol belongs to Foundation, which the engine
// does not link on Linux (D10). There "\(error)" gives the same sentence.
#if canImport(os)
    public import Foundation

    extension EnrolmentError: LocalizedError {
        /// The same as `description`.
        public var errorDescription: String? { description }
    }

    extension ConfigurationError: LocalizedError {
        /// The same as `description`.
        public var errorDescription: String? { description }
    }

    extension PixelView.FrameError: LocalizedError {
        /// The same as `description`.
        public var errorDescription: String? { description }
    }

    extension EngineError: LocalizedError {
        /// The same as `description`.
        public var errorDescription: String? { description }
    }

    extension ModelFileError: LocalizedError {
        /// The same as `description`.
        public var errorDescription: String? { description }
    }
#endif
