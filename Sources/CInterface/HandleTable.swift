import Platform

/// Objects by the numbers that C programs hold instead of addresses.
///
/// A number is given once, over all tables, and never read through. So a handle that was destroyed, or one of another
/// kind, is not found, whatever happened to the memory of its object.
final class HandleTable<Object: AnyObject & Sendable>: Sendable {
    private let objects = Locked<[UInt: Object]>([:])
    /// Names the kind in sentences, such as "stream".
    private let kind: String

    init(of kind: String) { self.kind = kind }

    /// Keeps an object until `remove`.
    func insert(_ object: Object) -> OpaquePointer? {
        let number = HandleNumbers.next()
        objects.withLock { $0[number] = object }
        return unsafe OpaquePointer(bitPattern: number)
    }

    /// The object of a handle.
    func object(_ handle: OpaquePointer?) throws(CallFailure) -> Object {
        let number = unsafe try number(of: handle)
        guard let object = objects.withLock({ $0[number] }) else { throw unknown }
        return object
    }

    /// Forgets the object of a handle. Calls that use it keep it until they return.
    func remove(_ handle: OpaquePointer?) throws(CallFailure) {
        let number = unsafe try number(of: handle)
        guard objects.withLock({ $0.removeValue(forKey: number) }) != nil else { throw unknown }
    }

    private func number(of handle: OpaquePointer?) throws(CallFailure) -> UInt {
        guard let handle = unsafe handle else { throw CallFailure(.invalidHandle, "The \(kind) is NULL.") }
        return UInt(bitPattern: handle)
    }

    private var unknown: CallFailure {
        CallFailure(.invalidHandle, "The \(kind) was destroyed, or this is the handle of something else.")
    }
}

/// The source of handles: 1, 2, 3 and so on. At a million a second they last for half a million years.
private enum HandleNumbers {
    private static let latest = Locked<UInt>(0)

    static func next() -> UInt {
        latest.withLock { latest in
            latest += 1
            return latest
        }
    }
}
