import Platform

/// Objects of one kind by the numbers that C programs hold instead of addresses.
///
/// A number is given once, over all kinds, and never read through. So a handle that was destroyed, or one of another
/// kind, is not found, whatever happened to the memory of its object.
///
/// A process that was forked has the tables of its parent, and objects whose locks threads of the parent may have held.
/// It neither uses nor releases them: their memory goes with the process.
struct HandleTable<Object: AnyObject & Sendable>: Sendable {
    /// Names the kind in sentences, such as "stream".
    private let kind: String

    init(of kind: String) { self.kind = kind }

    /// Keeps an object until `remove`.
    private func insert(_ object: Object) -> OpaquePointer? {
        let process = ProcessFork.processID
        let number = handles.withLock { handles in
            handles.latest += 1
            handles.entries[handles.latest] = HandleEntry(object: object, process: process)
            return handles.latest
        }
        return unsafe OpaquePointer(bitPattern: number)
    }

    /// Makes an object and stores its handle at a caller's place, which is NULL where that fails.
    func make(
        at place: UnsafeMutablePointer<OpaquePointer?>?, _ object: () throws(CallFailure) -> Object
    ) throws(CallFailure) {
        let name = "The place for the \(kind)"
        unsafe try store(nil, to: place, name)
        unsafe try store(insert(object()), to: place, name)
    }

    /// The object of a handle.
    func object(_ handle: OpaquePointer?) throws(CallFailure) -> Object {
        let number = unsafe try number(of: handle)
        return try checked(handles.withLock { $0.entries[number] })
    }

    /// Forgets the object of a handle. Calls that use it keep it until they return.
    func remove(_ handle: OpaquePointer?) throws(CallFailure) {
        let number = unsafe try number(of: handle)
        // Released behind the lock, as a release may take a while.
        _ = try checked(handles.withLock { $0.entries[number] })
        guard handles.withLock({ $0.entries.removeValue(forKey: number) }) != nil else { throw unknown }
    }

    private func checked(_ entry: HandleEntry?) throws(CallFailure) -> Object {
        guard let entry, let object = entry.object as? Object else { throw unknown }
        guard entry.process == ProcessFork.processID else {
            throw CallFailure(
                .forked, "The \(kind) belongs to the process from which this one was forked; make another one here.")
        }
        return object
    }

    private func number(of handle: OpaquePointer?) throws(CallFailure) -> UInt {
        guard let handle = unsafe handle else { throw CallFailure(.invalidHandle, "The \(kind) is NULL.") }
        return UInt(bitPattern: handle)
    }

    private var unknown: CallFailure {
        CallFailure(.invalidHandle, "The \(kind) was destroyed, or this is the handle of something else.")
    }
}

/// An object and the process that made it.
private struct HandleEntry {
    let object: any AnyObject & Sendable
    let process: Int32
}

/// All objects by their handles: 1, 2, 3 and so on. At a million a second they last for half a million years.
private struct Handles {
    var latest: UInt = 0
    var entries: [UInt: HandleEntry] = [:]
}

/// No thread holds the lock while the process forks, so that the child finds it free.
private let handles: Locked<Handles> = {
    ProcessFork.handle(before: { handles.lock() }, after: { handles.unlock() })
    return Locked(Handles())
}()
