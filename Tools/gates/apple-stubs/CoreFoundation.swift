// Apple's Core Foundation: declarations for type-checking, not an implementation.
// swift-format-ignore-file

@_exported import Darwin

public typealias CFTypeRef = AnyObject
public final class CFString: @unchecked Sendable {}
public func CFEqual(_: CFTypeRef!, _: CFTypeRef!) -> Bool

/// A type of its own, which Swift converts to and from `Double` by itself.
public typealias CGFloat = Double
@frozen public struct CGPoint: Sendable {
    public init(x: CGFloat, y: CGFloat)
}
@frozen public struct CGRect: Sendable {}
@frozen public struct CGSize: Sendable {
    public var width: CGFloat
    public var height: CGFloat
}
