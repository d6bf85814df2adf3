// Apple's Core Video: declarations for type-checking, not an implementation.
// swift-format-ignore-file

@_exported import CoreFoundation

public typealias CVReturn = Int32
public typealias OSType = UInt32
public final class CVBuffer {}
public typealias CVImageBuffer = CVBuffer
public typealias CVPixelBuffer = CVImageBuffer
public enum CVAttachmentMode: UInt32 { case shouldNotPropagate, shouldPropagate }
public struct CVPixelBufferLockFlags: OptionSet, Sendable {
    public init(rawValue: UInt64)
    public let rawValue: UInt64
    public static var readOnly: CVPixelBufferLockFlags { get }
}

public let kCVImageBufferYCbCrMatrixKey: CFString
public let kCVImageBufferYCbCrMatrix_ITU_R_709_2: CFString
public let kCVPixelBufferPixelFormatTypeKey: CFString
public var kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange: OSType { get }
public var kCVReturnSuccess: CVReturn { get }

public func CVBufferCopyAttachment(
    _ buffer: CVBuffer, _ key: CFString, _ attachmentMode: UnsafeMutablePointer<CVAttachmentMode>?
) -> CFTypeRef?
public func CVPixelBufferGetBaseAddress(_ pixelBuffer: CVPixelBuffer) -> UnsafeMutableRawPointer?
public func CVPixelBufferGetBaseAddressOfPlane(
    _ pixelBuffer: CVPixelBuffer, _ planeIndex: Int
) -> UnsafeMutableRawPointer?
public func CVPixelBufferGetBytesPerRow(_ pixelBuffer: CVPixelBuffer) -> Int
public func CVPixelBufferGetBytesPerRowOfPlane(_ pixelBuffer: CVPixelBuffer, _ planeIndex: Int) -> Int
public func CVPixelBufferGetHeight(_ pixelBuffer: CVPixelBuffer) -> Int
public func CVPixelBufferGetHeightOfPlane(_ pixelBuffer: CVPixelBuffer, _ planeIndex: Int) -> Int
public func CVPixelBufferGetPixelFormatType(_ pixelBuffer: CVPixelBuffer) -> OSType
public func CVPixelBufferGetWidth(_ pixelBuffer: CVPixelBuffer) -> Int
public func CVPixelBufferIsPlanar(_ pixelBuffer: CVPixelBuffer) -> Bool
@discardableResult public func CVPixelBufferLockBaseAddress(
    _ pixelBuffer: CVPixelBuffer, _ lockFlags: CVPixelBufferLockFlags
) -> CVReturn
@discardableResult public func CVPixelBufferUnlockBaseAddress(
    _ pixelBuffer: CVPixelBuffer, _ unlockFlags: CVPixelBufferLockFlags
) -> CVReturn
