// Apple's UIKit: declarations for type-checking, not an implementation.
// swift-format-ignore-file

@_exported import Foundation
@_exported import QuartzCore

@MainActor open class UIView: NSObject {
    open class var layerClass: AnyClass { get }
    open var layer: CALayer { get }
    public init(frame: CGRect)
    override public convenience init()
}

@MainActor open class UIDevice: NSObject {
    open class var current: UIDevice { get }
    @available(tvOS, unavailable)
    public enum BatteryState: Int, @unchecked Sendable {
        case unknown, unplugged, charging, full
    }
    @available(tvOS, unavailable)
    open var isBatteryMonitoringEnabled: Bool
    @available(tvOS, unavailable)
    open var batteryState: BatteryState { get }
    @available(tvOS, unavailable)
    open var batteryLevel: Float { get }
}
