import Vocabulary

// What `localizedDescription` says of an error, for apps that show that. On Linux the engine does not link Foundation, whose
// protocol this is (D10): there "\(error)" is the same sentence.
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

    extension ViewTransform.GeometryError: LocalizedError {
        /// The same as `description`.
        public var errorDescription: String? { description }
    }

    extension GestureEngineError: LocalizedError {
        /// The same as `description`.
        public var errorDescription: String? { description }
    }

    extension ModelFileError: LocalizedError {
        /// The same as `description`.
        public var errorDescription: String? { description }
    }
#endif
