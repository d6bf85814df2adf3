// What `localizedDescription` says of an error, for apps that show that. On Linux the engine does not link Foundation, whose
// protocol this is (D10): there "\(error)" is the same sentence.
#if canImport(Darwin)
    public import Foundation

    extension EnrolmentError: LocalizedError {
        /// The same as `description`.
        public var errorDescription: String? { description }
    }

    extension ExposureConfigurationError: LocalizedError {
        /// The same as `description`.
        public var errorDescription: String? { description }
    }

    extension FrameError: LocalizedError {
        /// The same as `description`.
        public var errorDescription: String? { description }
    }

    extension FrameRingError: LocalizedError {
        /// The same as `description`.
        public var errorDescription: String? { description }
    }

    extension GeometryError: LocalizedError {
        /// The same as `description`.
        public var errorDescription: String? { description }
    }

    extension GestureEngineError: LocalizedError {
        /// The same as `description`.
        public var errorDescription: String? { description }
    }

    extension HandTrackingConfigurationError: LocalizedError {
        /// The same as `description`.
        public var errorDescription: String? { description }
    }

    extension ModelFileError: LocalizedError {
        /// The same as `description`.
        public var errorDescription: String? { description }
    }

    extension NetworkError: LocalizedError {
        /// The same as `description`.
        public var errorDescription: String? { description }
    }

    extension PacingConfigurationError: LocalizedError {
        /// The same as `description`.
        public var errorDescription: String? { description }
    }

    extension QualityConfigurationError: LocalizedError {
        /// The same as `description`.
        public var errorDescription: String? { description }
    }

    extension RecognitionConfigurationError: LocalizedError {
        /// The same as `description`.
        public var errorDescription: String? { description }
    }

    extension RegionTrackerConfigurationError: LocalizedError {
        /// The same as `description`.
        public var errorDescription: String? { description }
    }

    extension SchedulingConfigurationError: LocalizedError {
        /// The same as `description`.
        public var errorDescription: String? { description }
    }

    extension WorkerThreadError: LocalizedError {
        /// The same as `description`.
        public var errorDescription: String? { description }
    }
#endif
