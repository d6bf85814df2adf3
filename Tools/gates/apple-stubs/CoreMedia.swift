// Apple's Core Media: declarations for type-checking, not an implementation.
// swift-format-ignore-file

@_exported import CoreFoundation
@_exported import CoreVideo

public final class CMSampleBuffer {}
public typealias CMTimeScale = Int32
public typealias CMTimeValue = Int64
@frozen public struct CMTime: Sendable {
    public init(value: CMTimeValue, timescale: CMTimeScale)
    public var value: CMTimeValue
    public var timescale: CMTimeScale
}
public enum CMTimeRoundingMethod: UInt32, @unchecked Sendable {
    case roundHalfAwayFromZero = 1
    public static var `default`: CMTimeRoundingMethod { get }
}
public func CMSampleBufferGetImageBuffer(_ sbuf: CMSampleBuffer) -> CVImageBuffer?
public func CMSampleBufferGetPresentationTimeStamp(_ sbuf: CMSampleBuffer) -> CMTime
public func CMTimeConvertScale(
    _ time: CMTime, timescale newTimescale: Int32, method: CMTimeRoundingMethod
) -> CMTime
