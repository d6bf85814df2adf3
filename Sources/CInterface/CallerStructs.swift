/// Structs in the memory of callers that may have been compiled with another version of the header.
///
/// They are copied byte by byte, so a caller's memory may have any alignment.
enum CallersStruct {
    /// No struct of any version is larger. A larger size is memory that was never initialised.
    private static let largestSize = 1 << 16

    /// A copy of an input struct, whose first field is its size. Fields behind the caller's size are zero.
    /// - Parameters:
    ///   - pointer: NULL gives nil.
    ///   - name: of the struct, for sentences.
    ///   - empty: a struct of zeros.
    static func read<Value: BitwiseCopyable>(
        _ pointer: UnsafePointer<Value>?, _ name: String, empty: Value
    ) throws(CallFailure) -> Value? {
        guard let pointer = unsafe pointer else { return nil }
        let source = unsafe UnsafeRawPointer(pointer)
        let size = unsafe source.loadUnaligned(as: Int.self)
        try check(size, name + ".size", smallest: MemoryLayout<Value>.size)
        let known = MemoryLayout<Value>.size
        for offset in min(known, size)..<size where unsafe source.load(fromByteOffset: offset, as: UInt8.self) != 0 {
            throw CallFailure(
                .tooNew, "\(name) has a field at byte \(offset) that this version of the library does not know.")
        }
        var value = empty
        unsafe withUnsafeMutableBytes(of: &value) {
            unsafe $0.copyMemory(from: UnsafeRawBufferPointer(start: source, count: min(known, size)))
        }
        return value
    }

    /// Writes an output struct of the caller's size; bytes that this version does not know become zero.
    static func write<Value: BitwiseCopyable>(_ value: Value, to target: UnsafeMutableRawPointer, size: Int) {
        let known = min(size, MemoryLayout<Value>.size)
        unsafe withUnsafeBytes(of: value) {
            unsafe target.copyMemory(from: $0.baseAddress!, byteCount: known)
        }
        unsafe (target + known).initializeMemory(as: UInt8.self, repeating: 0, count: size - known)
    }

    /// Checks the size of an output struct.
    static func check(_ size: Int, _ name: String, smallest: Int) throws(CallFailure) {
        guard size >= smallest, size <= largestSize else {
            throw .value(
                name, UInt(bitPattern: size), mustBe: "the size of the struct in gesture.h, which is \(smallest)")
        }
    }
}

/// Room for output structs, one behind the other.
@safe
struct CallersArray<Value: BitwiseCopyable> {
    private let target: UnsafeMutableRawPointer?
    /// The number of structs that fit.
    let capacity: Int
    private let size: Int

    /// - Parameter name: of the array, for sentences.
    init(_ target: UnsafeMutablePointer<Value>?, capacity: Int, size: Int, _ name: String) throws(CallFailure) {
        try CallersStruct.check(size, "The size of \(name)", smallest: MemoryLayout<Value>.size)
        guard capacity >= 0 else {
            throw .value("The capacity of \(name)", UInt(bitPattern: capacity), mustBe: "a number of structs")
        }
        guard unsafe capacity == 0 || target != nil else { throw .null("The place for \(name)") }
        unsafe self.target = target.map { UnsafeMutableRawPointer($0) }
        self.capacity = capacity
        self.size = size
    }

    /// Writes the struct at an index below `capacity`.
    func write(_ value: Value, at index: Int) {
        guard index < capacity, let target = unsafe target else { return }
        unsafe CallersStruct.write(value, to: target + index * size, size: size)
    }
}

/// Writes to a place of the caller's that must not be NULL.
func store<Value>(
    _ value: Value, to target: UnsafeMutablePointer<Value>?, _ name: String
) throws(CallFailure) {
    guard let target = unsafe target else { throw .null(name) }
    unsafe target.pointee = value
}

/// The elements of a caller's array; none for NULL.
func elements<Element>(
    _ array: UnsafePointer<Element>?, _ count: Int, _ name: String
) throws(CallFailure) -> UnsafeBufferPointer<Element> {
    guard unsafe array != nil || count == 0 else { throw .null(name) }
    // A larger count is memory that was never initialised.
    guard (0...4096).contains(count) else {
        throw .value("The count of \(name)", UInt(bitPattern: count), mustBe: "from 0 to 4096")
    }
    return unsafe UnsafeBufferPointer(start: array, count: count)
}
