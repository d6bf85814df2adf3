// Apple's Core Animation: declarations for type-checking, not an implementation.
// swift-format-ignore-file

@_exported import Foundation

open class CALayer: NSObject {}
