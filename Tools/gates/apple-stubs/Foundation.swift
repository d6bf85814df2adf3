// Apple's Foundation: declarations for type-checking, not an implementation.
// swift-format-ignore-file

@_exported import CoreFoundation
@_exported import Darwin
@_exported import Dispatch

open class NSObject {
    public init()
}
open class NSCoder: NSObject {}
public typealias NSString = CFString
extension String: _ObjectiveCBridgeable {
    public func _bridgeToObjectiveC() -> NSString
    public static func _forceBridgeFromObjectiveC(_ source: NSString, result: inout String?)
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSString, result: inout String?) -> Bool
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSString?) -> String
}

public protocol LocalizedError: Error {
    var errorDescription: String? { get }
    var failureReason: String? { get }
    var recoverySuggestion: String? { get }
    var helpAnchor: String? { get }
}
extension LocalizedError {
    public var errorDescription: String? { get }
    public var failureReason: String? { get }
    public var recoverySuggestion: String? { get }
    public var helpAnchor: String? { get }
}

open class ProcessInfo: NSObject, @unchecked Sendable {
    open class var processInfo: ProcessInfo { get }
    public enum ThermalState: Int, @unchecked Sendable {
        case nominal, fair, serious, critical
    }
    open var thermalState: ThermalState { get }
}
