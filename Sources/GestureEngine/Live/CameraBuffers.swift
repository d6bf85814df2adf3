// Never run on an Apple system; Tools/gates/apple compiles it.
#if canImport(CoreMedia)
    public import CoreMedia
    public import CoreVideo
    public import Frames

    extension GestureStream {
        /// Takes in a camera's buffer and reads it in place.
        /// - Throws: the errors of `withPixelView`, which leave the stream unchanged.
        @discardableResult
        public func push(_ buffer: CVPixelBuffer, at time: Duration) throws(PixelView.FrameError) -> FrameResult {
            try withPixelView(of: buffer) { push($0, at: time) }
        }

        /// Takes in a video sample of a capture session at its own presentation time.
        /// - Throws: `PixelView.FrameError.noPicture` for a sample without one, and what `withPixelView` throws.
        @discardableResult
        public func push(_ sample: CMSampleBuffer) throws(PixelView.FrameError) -> FrameResult {
            guard let buffer = CMSampleBufferGetImageBuffer(sample) else { throw .noPicture }
            return try push(buffer, at: sample.capturedAt)
        }
    }

    extension LiveGestureStream {
        /// Takes in a camera's buffer. It is read in place before this returns.
        /// - Throws: the errors of `withPixelView`, which leave the stream unchanged.
        @discardableResult
        public func push(_ buffer: CVPixelBuffer, at time: Duration) throws(PixelView.FrameError) -> FrameResult.Outcome
        {
            try withPixelView(of: buffer) { push($0, at: time) }
        }

        /// Takes in a video sample of a capture session at its own presentation time.
        /// - Throws: `PixelView.FrameError.noPicture` for a sample without one, and what `withPixelView` throws.
        @discardableResult
        public func push(_ sample: CMSampleBuffer) throws(PixelView.FrameError) -> FrameResult.Outcome {
            guard let buffer = CMSampleBufferGetImageBuffer(sample) else { throw .noPicture }
            return try push(buffer, at: sample.capturedAt)
        }
    }

    extension CMSampleBuffer {
        /// Presentation time in whole nanoseconds.
        fileprivate var capturedAt: Duration {
            let time = CMTimeConvertScale(
                CMSampleBufferGetPresentationTimeStamp(self), timescale: 1_000_000_000, method: .default)
            return .nanoseconds(time.value)
        }
    }
#endif
