#if canImport(Glibc)
    import Glibc

    // Counts every heap allocation of this process: glibc lets a program define the allocation functions itself, and
    // all libraries, the Swift runtime among them, then call these. They must not allocate.

    @_silgen_name("__libc_malloc") private func libcMalloc(_ size: Int) -> UnsafeMutableRawPointer?
    @_silgen_name("__libc_calloc") private func libcCalloc(_ count: Int, _ size: Int) -> UnsafeMutableRawPointer?
    @_silgen_name("__libc_realloc")
    private func libcRealloc(_ old: UnsafeMutableRawPointer?, _ size: Int) -> UnsafeMutableRawPointer?
    @_silgen_name("__libc_memalign")
    private func libcMemalign(_ alignment: Int, _ size: Int) -> UnsafeMutableRawPointer?

    /// Counted without synchronisation: what is measured runs on one thread.
    nonisolated(unsafe) private var allocationCount = 0

    // The manifest's linker setting gives this one the name `malloc`, which Swift does not let a source file take.
    @c(gesture_bench_malloc) func countingMalloc(_ size: Int) -> UnsafeMutableRawPointer? {
        unsafe allocationCount &+= 1
        return unsafe libcMalloc(size)
    }

    @c(calloc) func countingCalloc(_ count: Int, _ size: Int) -> UnsafeMutableRawPointer? {
        unsafe allocationCount &+= 1
        return unsafe libcCalloc(count, size)
    }

    @c(realloc) func countingRealloc(_ old: UnsafeMutableRawPointer?, _ size: Int) -> UnsafeMutableRawPointer? {
        unsafe allocationCount &+= 1
        return unsafe libcRealloc(old, size)
    }

    @c(aligned_alloc) func countingAlignedAlloc(_ alignment: Int, _ size: Int) -> UnsafeMutableRawPointer? {
        unsafe allocationCount &+= 1
        return unsafe libcMemalign(alignment, size)
    }

    @c(posix_memalign) func countingPosixMemalign(
        _ result: UnsafeMutablePointer<UnsafeMutableRawPointer?>, _ alignment: Int, _ size: Int
    ) -> Int32 {
        unsafe allocationCount &+= 1
        guard let memory = unsafe libcMemalign(alignment, size) else { return ENOMEM }
        unsafe result.pointee = memory
        return 0
    }

    /// Heap allocations of this process so far; nil where they cannot be counted.
    var heapAllocations: Int? { unsafe allocationCount }
#else
    /// Heap allocations of this process so far; nil where they cannot be counted.
    var heapAllocations: Int? { nil }
#endif
