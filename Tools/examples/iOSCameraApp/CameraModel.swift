#if canImport(AVFoundation) && canImport(UIKit)
    import AVFoundation
    import BodyPose
    import GestureEngine
    import GestureHands
    import Observation

    /// The front camera and what the engine makes of its frames.
    @MainActor @Observable
    final class CameraModel {
        /// Sides of the upright frame.
        static let width = 480
        static let height = 640

        let session = AVCaptureSession()
        private(set) var hands: [TrackedHand] = []
        private(set) var message = ""

        @ObservationIgnored private var feed: CameraFeed?

        /// Runs until the screen is gone.
        func run() async {
            guard await AVCaptureDevice.requestAccess(for: .video) else {
                message = "The app needs the camera. Allow it in Settings."
                return
            }
            do {
                // Reading the networks takes some milliseconds.
                let live = try await Task.detached {
                    var configuration = GestureEngine.Configuration(rate: .hz30)
                    // Swipes as the user sees them in the mirrored preview.
                    configuration.advanced.directions = .upMirrored
                    return try GestureEngine(hands: .lite(), arms: .full()).makeLiveStream(configuration)
                }.value
                let feed = CameraFeed(live)
                self.feed = feed
                try configure(feed)
                feed.start(session)
                // Both loops end with the task of the screen.
                async let shown: Void = showHands(live)
                for await event in live.events {
                    message = event.kind == .begin ? event.label : ""
                }
                await shown
                feed.stop(session)
                live.finish()
            } catch {
                message = "\(error)"
            }
        }

        private func showHands(_ live: LiveGestureStream) async {
            for await frame in live.hands { hands = frame.hands }
        }

        private func configure(_ feed: CameraFeed) throws {
            guard let device = AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: .front) else {
                throw CameraFault.noCamera
            }
            try connect(device, to: feed)
            // After the session's own configuration, which sets the rate of its preset.
            try device.lockForConfiguration()
            defer { device.unlockForConfiguration() }
            let duration = CMTime(value: 1, timescale: 30)
            device.activeVideoMinFrameDuration = duration
            device.activeVideoMaxFrameDuration = duration
        }

        private func connect(_ device: AVCaptureDevice, to feed: CameraFeed) throws {
            session.beginConfiguration()
            defer { session.commitConfiguration() }
            session.sessionPreset = .vga640x480
            let input = try AVCaptureDeviceInput(device: device)
            let output = AVCaptureVideoDataOutput()
            output.videoSettings = [
                kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
            ]
            output.alwaysDiscardsLateVideoFrames = true
            output.setSampleBufferDelegate(feed, queue: feed.queue)
            guard session.canAddInput(input), session.canAddOutput(output) else { throw CameraFault.noCamera }
            session.addInput(input)
            session.addOutput(output)
            // Upright buffers of a phone that is held upright. An app that turns sets `geometry.orientation` instead.
            if let connection = output.connection(with: .video), connection.isVideoRotationAngleSupported(90) {
                connection.videoRotationAngle = 90
                connection.automaticallyAdjustsVideoMirroring = false
                connection.isVideoMirrored = false
            }
        }
    }

    enum CameraFault: Error, CustomStringConvertible {
        case noCamera

        var description: String { "There is no front camera with 640x480 pixels." }
    }

    /// Gives the camera's buffers to the engine, on a queue of its own. The buffers are read in place.
    final class CameraFeed: NSObject, AVCaptureVideoDataOutputSampleBufferDelegate, Sendable {
        let queue = DispatchQueue(label: "camera")
        private let live: LiveGestureStream

        init(_ live: LiveGestureStream) { self.live = live }

        /// The session's start waits for the camera, so it is not called on the main thread.
        func start(_ session: AVCaptureSession) {
            nonisolated(unsafe) let session = session
            queue.async { session.startRunning() }
        }

        func stop(_ session: AVCaptureSession) {
            nonisolated(unsafe) let session = session
            queue.async { session.stopRunning() }
        }

        func captureOutput(
            _ output: AVCaptureOutput, didOutput sample: CMSampleBuffer, from connection: AVCaptureConnection
        ) {
            do { try live.push(sample) } catch { print("A frame was refused: \(error)") }
        }
    }
#endif
