// What Embedded Swift's standard library needs of a platform beyond the C library, and the C library of the system: wasi-libc
// without any import of WASI.
#if hasFeature(Embedded) && arch(wasm32)
    @_extern(c, "strtof") private func strtof(
        _ text: UnsafePointer<CChar>, _ end: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    ) -> Float
    @_extern(c, "strtod") private func strtod(
        _ text: UnsafePointer<CChar>, _ end: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    ) -> Double

    /// Parses a float; the C library has one locale alone.
    @_cdecl("_swift_stdlib_strtof_clocale")
    func parseFloat(_ text: UnsafePointer<CChar>, _ value: UnsafeMutablePointer<Float>) -> UnsafePointer<CChar>? {
        var end: UnsafeMutablePointer<CChar>?
        unsafe value.pointee = strtof(text, &end)
        return unsafe UnsafePointer(end)
    }

    /// Parses a double.
    @_cdecl("_swift_stdlib_strtod_clocale")
    func parseDouble(_ text: UnsafePointer<CChar>, _ value: UnsafeMutablePointer<Double>) -> UnsafePointer<CChar>? {
        var end: UnsafeMutablePointer<CChar>?
        unsafe value.pointee = strtod(text, &end)
        return unsafe UnsafePointer(end)
    }

    /// Fills memory with the seeds of hash tables, the same in every run.
    @_cdecl("arc4random_buf")
    func fillWithSeeds(_ memory: UnsafeMutableRawPointer, _ count: Int) {
        var generator: UInt64 = 0x9E37_79B9_7F4A_7C15
        for index in 0..<count {
            generator = generator &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            unsafe memory.storeBytes(
                of: UInt8(truncatingIfNeeded: generator >> 56), toByteOffset: index, as: UInt8.self)
        }
    }

    // The C library's files, which its parser of numbers refers to and never uses. Defined here, they are not imported.

    private let badDescriptor: Int32 = 8

    @_cdecl("__imported_wasi_snapshot_preview1_fd_close")
    func closeFile(_ file: Int32) -> Int32 { badDescriptor }

    @_cdecl("__imported_wasi_snapshot_preview1_fd_seek")
    func seekFile(_ file: Int32, _ offset: Int64, _ whence: Int32, _ place: Int32) -> Int32 { badDescriptor }

    @_cdecl("__imported_wasi_snapshot_preview1_fd_write")
    func writeFile(_ file: Int32, _ parts: Int32, _ count: Int32, _ written: Int32) -> Int32 { badDescriptor }

    @_extern(wasm, module: "env", name: "log") private func log(_ text: UnsafePointer<UInt8>, _ count: Int)

    nonisolated(unsafe) private var line: [UInt8] = []

    /// Gathers what `print` and `fatalError` write to lines.
    @_cdecl("putchar")
    func put(_ character: Int32) -> Int32 {
        if character == 10 {
            unsafe line.withUnsafeBufferPointer { unsafe log($0.baseAddress!, $0.count) }
            unsafe line.removeAll(keepingCapacity: true)
        } else {
            unsafe line.append(UInt8(truncatingIfNeeded: character))
        }
        return character
    }
#endif
