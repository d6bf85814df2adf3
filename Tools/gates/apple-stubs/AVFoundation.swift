// Apple's AVFoundation: declarations for type-checking, not an implementation.
// swift-format-ignore-file

@_exported import CoreMedia
@_exported import Dispatch
@_exported import Foundation
@_exported import QuartzCore

public struct AVMediaType: Hashable, Sendable {
    public static let video: AVMediaType
}
public struct AVLayerVideoGravity: Hashable, Sendable {
    public static let resizeAspectFill: AVLayerVideoGravity
}
open class AVCaptureInput: NSObject {}
open class AVCaptureOutput: NSObject {
    open func connection(with mediaType: AVMediaType) -> AVCaptureConnection?
}
open class AVCaptureConnection: NSObject {
    open func isVideoRotationAngleSupported(_ videoRotationAngle: CGFloat) -> Bool
    open var videoRotationAngle: CGFloat
    open var automaticallyAdjustsVideoMirroring: Bool
    open var isVideoMirrored: Bool
}
open class AVCaptureDevice: NSObject {
    public enum Position: Int, @unchecked Sendable { case unspecified, back, front }
    public struct DeviceType: Hashable, Sendable {
        public static let builtInWideAngleCamera: DeviceType
    }
    open class func `default`(
        _ deviceType: DeviceType, for mediaType: AVMediaType?, position: Position
    ) -> AVCaptureDevice?
    open class func requestAccess(for mediaType: AVMediaType) async -> Bool
    open func lockForConfiguration() throws
    open func unlockForConfiguration()
    open var activeVideoMinFrameDuration: CMTime
    open var activeVideoMaxFrameDuration: CMTime
}
open class AVCaptureDeviceInput: AVCaptureInput {
    public init(device: AVCaptureDevice) throws
}
open class AVCaptureSession: NSObject {
    public struct Preset: Hashable, Sendable {
        public static let vga640x480: Preset
    }
    override public init()
    open var sessionPreset: Preset
    open func beginConfiguration()
    open func commitConfiguration()
    open func canAddInput(_ input: AVCaptureInput) -> Bool
    open func addInput(_ input: AVCaptureInput)
    open func canAddOutput(_ output: AVCaptureOutput) -> Bool
    open func addOutput(_ output: AVCaptureOutput)
    open func startRunning()
    open func stopRunning()
}
open class AVCaptureVideoDataOutput: AVCaptureOutput {
    public init()
    open var videoSettings: [String: Any]!
    open var alwaysDiscardsLateVideoFrames: Bool
    open func setSampleBufferDelegate(
        _ sampleBufferDelegate: (any AVCaptureVideoDataOutputSampleBufferDelegate)?, queue: DispatchQueue?
    )
}
/// Its function is optional there. Here it is required, so that one of another shape is refused.
public protocol AVCaptureVideoDataOutputSampleBufferDelegate: NSObject {
    func captureOutput(
        _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
    )
}
open class AVCaptureVideoPreviewLayer: CALayer {
    open var session: AVCaptureSession?
    open var videoGravity: AVLayerVideoGravity
}
