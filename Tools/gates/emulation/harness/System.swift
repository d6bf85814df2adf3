// What the harness takes from the C library: bytes out, and pages.

@_extern(c, "write") @discardableResult
func write(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int

@_extern(c, "mmap")
func mmap(
    _ address: UnsafeMutableRawPointer?, _ count: Int, _ protection: Int32, _ flags: Int32, _ descriptor: Int32,
    _ offset: Int
) -> UnsafeMutableRawPointer?

@_extern(c, "mprotect")
func mprotect(_ address: UnsafeMutableRawPointer?, _ count: Int, _ protection: Int32) -> Int32

@_extern(c, "munmap") @discardableResult
func munmap(_ address: UnsafeMutableRawPointer?, _ count: Int) -> Int32

/// Straight to the output, without a buffer: what was written stays when a kernel dies afterwards.
func write(_ text: StaticString) { write(1, text.utf8Start, text.utf8CodeUnitCount) }

func write(_ value: Int) {
    if value < 0 { write("-") }
    let magnitude = value.magnitude
    if magnitude >= 10 { write(Int(magnitude / 10)) }
    var digit = UInt8(48 + magnitude % 10)
    write(1, &digit, 1)
}
