#if canImport(Glibc)
    import Glibc

    // Counts heap allocations. glibc lets a program define the allocation functions itself; its libraries, including
    // the Swift runtime, then call these. They must not allocate. They are public because the optimiser must expect
    // such calls: for internal functions it concludes that the count never changes.

    @_silgen_name("__libc_malloc") private func libcMalloc(_ size: Int) -> UnsafeMutableRawPointer?
    @_silgen_name("__libc_calloc") private func libcCalloc(_ count: Int, _ size: Int) -> UnsafeMutableRawPointer?
    @_silgen_name("__libc_realloc")
    private func libcRealloc(_ old: UnsafeMutableRawPointer?, _ size: Int) -> UnsafeMutableRawPointer?
    @_silgen_name("__libc_memalign")
    private func libcMemalign(_ alignment: Int, _ size: Int) -> UnsafeMutableRawPointer?

    /// Counted without synchronisation: the measured work runs on one thread; allocations of other threads, for example
    /// of pools, are not counted.
    nonisolated(unsafe) private var allocationCount = 0

    /// The thread that last read the count.
    nonisolated(unsafe) private var measuredThread = pthread_t()

    @inline(__always)
    private func countAllocation() {
        if unsafe pthread_self() == measuredThread { unsafe allocationCount &+= 1 }
    }

    // The manifest's linker setting gives this function the name `malloc`, which Swift source code cannot use.
    /// `malloc`, counted.
    @c(gesture_bench_malloc) public func countingMalloc(_ size: Int) -> UnsafeMutableRawPointer? {
        countAllocation()
        return unsafe libcMalloc(size)
    }

    /// `calloc`, counted.
    @c(calloc) public func countingCalloc(_ count: Int, _ size: Int) -> UnsafeMutableRawPointer? {
        countAllocation()
        return unsafe libcCalloc(count, size)
    }

    /// `realloc`, counted.
    @c(realloc) public func countingRealloc(_ old: UnsafeMutableRawPointer?, _ size: Int) -> UnsafeMutableRawPointer? {
        countAllocation()
        return unsafe libcRealloc(old, size)
    }

    /// `aligned_alloc`, counted.
    @c(aligned_alloc) public func countingAlignedAlloc(_ alignment: Int, _ size: Int) -> UnsafeMutableRawPointer? {
        countAllocation()
        return unsafe libcMemalign(alignment, size)
    }

    /// `posix_memalign`, counted.
    @c(posix_memalign) public func countingPosixMemalign(
        _ result: UnsafeMutablePointer<UnsafeMutableRawPointer?>, _ alignment: Int, _ size: Int
    ) -> Int32 {
        countAllocation()
        guard let memory = unsafe libcMemalign(alignment, size) else { return ENOMEM }
        unsafe result.pointee = memory
        return 0
    }

    /// Heap allocations of this thread since it first read this; nil if they cannot be counted. Only the difference of
    /// two values is meaningful, if one thread read both and no other thread read between them.
    var heapAllocations: Int? {
        unsafe measuredThread = pthread_self()
        return unsafe runtimeIsCounted ? allocationCount : nil
    }

    /// Whether allocations in other libraries are counted; otherwise a count of zero would mean nothing. The compiler
    /// cannot remove this probe: `realpath` returns a path in newly allocated memory.
    private let runtimeIsCounted: Bool = {
        unsafe measuredThread = pthread_self()
        let before = unsafe allocationCount
        unsafe free(realpath("/", nil))
        return unsafe allocationCount > before
    }()
#else
    /// Heap allocations of this process so far; nil because they cannot be counted.
    var heapAllocations: Int? { nil }
#endif
