// Apple's dynamic linker: declarations for type-checking, not an implementation.
// swift-format-ignore-file

@discardableResult public func _NSGetExecutablePath(
    _: UnsafeMutablePointer<CChar>!, _: UnsafeMutablePointer<UInt32>!
) -> Int32
