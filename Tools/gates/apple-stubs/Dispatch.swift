// Apple's Dispatch: declarations for type-checking, not an implementation.
// swift-format-ignore-file

open class DispatchQueue: @unchecked Sendable {
    public convenience init(label: String)
    public func async(execute work: @escaping @Sendable @convention(block) () -> Void)
}
