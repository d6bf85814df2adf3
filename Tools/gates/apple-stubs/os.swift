// Apple's logging: declarations for type-checking, not an implementation.
// swift-format-ignore-file

open class OSLog: @unchecked Sendable {
    public struct Category: Sendable {
        public static let pointsOfInterest: Category
    }
}
public struct OSSignpostID: Sendable {
    public static let exclusive: OSSignpostID
}
public struct OSSignpostIntervalState: Sendable {}
public struct OSSignposter: Sendable {
    public init(subsystem: String, category: OSLog.Category)
    public init(subsystem: String, category: String)
    public func beginInterval(_ name: StaticString, id: OSSignpostID = .exclusive) -> OSSignpostIntervalState
    public func endInterval(_ name: StaticString, _ state: OSSignpostIntervalState)
}
