/// What a camera needs of its device, so that a test can stand for the kernel.
package protocol VideoDevice: AnyObject {
    /// Makes a request, whose answer replaces the structure. Returns 0, or the system's error number.
    func control(_ request: VideoRequest, _ structure: inout VideoStructure) -> Int32

    /// Maps one of the device's buffers.
    func map(offset: Int, length: Int) throws(VideoError) -> VideoBuffer

    /// Ends a mapping. Nothing may read the buffer afterwards.
    func unmap(_ buffer: VideoBuffer)

    /// Waits for a filled buffer. Returns false if none came within the time.
    func wait(seconds: Int) throws(VideoError) -> Bool
}

/// A buffer that the driver writes and the program reads. Its reads are limited to the memory, which its device keeps mapped.
@safe
package struct VideoBuffer {
    /// The memory, valid until the device unmaps it.
    @unsafe
    package let memory: UnsafeMutableRawBufferPointer

    /// Takes memory that stays valid until the device unmaps it.
    @unsafe
    package init(_ memory: UnsafeMutableRawBufferPointer) { unsafe self.memory = memory }

    /// Lends the first bytes, at most all.
    func withBytes<Result>(
        first count: Int, _ body: (RawSpan) throws(VideoError) -> Result
    ) throws(VideoError) -> Result {
        // The driver writes only to buffers that are queued, and this one is not.
        let bytes = unsafe UnsafeRawBufferPointer(rebasing: memory.prefix(count))
        return try body(unsafe bytes.bytes)
    }
}
