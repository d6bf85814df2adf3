// The structure `stat` of Apple's C library, whose function has the same name: declarations for type-checking, not an implementation.
// swift-format-ignore-file

public struct stat {
    public init()
    public var st_mode: UInt16
    public var st_size: Int64
}
