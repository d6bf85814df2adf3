/// A value behind a lock of the C library (`SystemMutex`).
@safe
package final class Locked<Value: ~Copyable>: @unchecked Sendable {
    @usableFromInline let mutex = SystemMutex()
    @usableFromInline var value: Value

    @inlinable package init(_ value: consuming sending Value) { self.value = value }

    /// Runs `body` while no other thread runs one. Must not be called from inside `body`.
    @inlinable package func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        mutex.lock()
        defer { mutex.unlock() }
        return try body(&value)
    }

    /// Takes the lock beyond a scope, for `ProcessFork`; `unlock` gives it back.
    package func lock() { mutex.lock() }

    /// Gives back what `lock` took.
    package func unlock() { mutex.unlock() }
}

extension Locked {
    /// The value under a key, which `make` makes on first use while no other thread does. `make` must not come back here.
    @inlinable package func value<Key: Hashable, Made, Failure: Error>(
        for key: Key, make: () throws(Failure) -> Made
    ) throws(Failure) -> Made where Value == [Key: Made] {
        try withLock { values throws(Failure) in
            if let made = values[key] { return made }
            let made = try make()
            values[key] = made
            return made
        }
    }
}
