// What the harness takes from the C library: bytes out, and pages.

@_extern(c, "putchar") @discardableResult
func putchar(_ byte: Int32) -> Int32

@_extern(c, "mmap")
func mmap(
    _ address: UnsafeMutableRawPointer?, _ count: Int, _ protection: Int32, _ flags: Int32, _ descriptor: Int32,
    _ offset: Int
) -> UnsafeMutableRawPointer?

@_extern(c, "mprotect")
func mprotect(_ address: UnsafeMutableRawPointer?, _ count: Int, _ protection: Int32) -> Int32

@_extern(c, "munmap") @discardableResult
func munmap(_ address: UnsafeMutableRawPointer?, _ count: Int) -> Int32

func write(_ text: StaticString) {
    var p = text.utf8Start
    let end = p + text.utf8CodeUnitCount
    while p < end {
        putchar(Int32(p.pointee))
        p += 1
    }
}

func write(_ value: Int) {
    if value < 0 { putchar(45) }
    let magnitude = value.magnitude
    if magnitude >= 10 { write(Int(magnitude / 10)) }
    putchar(Int32(48 + magnitude % 10))
}
