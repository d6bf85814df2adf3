import Foundation
import Platform
import Testing

@Suite struct MemoryTests {
    /// What the ring is built of: sixteen frames, a whole number of pages of 4 and of 16 KiB.
    private static let half = 802_816

    @Test(.enabled(if: PageMemory.mirrors, "mirrored memory is not to be had here"))
    func bothHalvesAreOne() throws {
        let count = Self.half
        let memory = unsafe try PageMemory.mirror(byteCount: count)
        defer { unsafe PageMemory.release(memory, byteCount: 2 * count) }
        for offset in stride(from: 0, to: count, by: 997) {
            #expect(unsafe memory.load(fromByteOffset: offset, as: UInt8.self) == 0)
            let value = UInt8(truncatingIfNeeded: offset / 997 + 1)
            unsafe memory.storeBytes(of: value, toByteOffset: offset, as: UInt8.self)
            PageMemory.orderHalves()
            #expect(unsafe memory.load(fromByteOffset: count + offset, as: UInt8.self) == value)
            unsafe memory.storeBytes(of: ~value, toByteOffset: count + offset, as: UInt8.self)
            PageMemory.orderHalves()
            #expect(unsafe memory.load(fromByteOffset: offset, as: UInt8.self) == ~value)
        }
    }

    @Test(arguments: [1, 63, 64, 65, 4095, 4096, 4097, 100_000])
    func guardedMemoryIsZeroAlignedAndWritable(_ count: Int) throws {
        let memory = unsafe try PageMemory.allocateGuarded(byteCount: count, alignment: 64)
        #expect(Int(bitPattern: memory).isMultiple(of: 64))
        for offset in 0..<count {
            #expect(unsafe memory.load(fromByteOffset: offset, as: UInt8.self) == 0)
            unsafe memory.storeBytes(of: 255, toByteOffset: offset, as: UInt8.self)
        }
        unsafe PageMemory.releaseGuarded(memory, byteCount: count, alignment: 64)
    }

    /// The byte behind memory of whole cache lines, and the one that may be a page before any.
    @Test func accessBeyondGuardedMemoryEndsTheProcess() async {
        await #expect(processExitsWith: .signal(SIGSEGV)) {
            let memory = unsafe try PageMemory.allocateGuarded(byteCount: 640, alignment: 64)
            unsafe memory.storeBytes(of: 1, toByteOffset: 640, as: UInt8.self)
        }
        await #expect(processExitsWith: .signal(SIGSEGV)) {
            let memory = unsafe try PageMemory.allocateGuarded(byteCount: 4096, alignment: 64)
            unsafe memory.storeBytes(of: 1, toByteOffset: -1, as: UInt8.self)
        }
    }

    /// Without the first `orderHalves` the compiler may read `before` after the write, without the second it reuses
    /// `before` as `after`.
    @Test(.enabled(if: PageMemory.mirrors, "mirrored memory is not to be had here"))
    func halvesAreReadInOrder() throws {
        let memory = unsafe try PageMemory.mirror(byteCount: Self.half)
        defer { unsafe PageMemory.release(memory, byteCount: 2 * Self.half) }
        for value in UInt8(1)...255 {
            let (before, after) = unsafe Self.readAround(writing: value, to: memory)
            #expect(before == value - 1 && after == value)
        }
    }

    /// The second half's first byte before and after a write to the first half. A function of its own, in which the
    /// optimiser sees both constant addresses and nothing else.
    @unsafe
    @inline(never)
    private static func readAround(
        writing value: UInt8, to memory: UnsafeMutableRawPointer
    ) -> (before: UInt8, after: UInt8) {
        let before = unsafe memory.load(fromByteOffset: half, as: UInt8.self)
        PageMemory.orderHalves()
        unsafe memory.storeBytes(of: value, as: UInt8.self)
        PageMemory.orderHalves()
        return (before, unsafe memory.load(fromByteOffset: half, as: UInt8.self))
    }

    @Test(.enabled(if: PageMemory.mirrors, "mirrored memory is not to be had here"))
    func halfAPageIsNotMirrored() {
        let failure = #expect(throws: PageMemory.MirrorFailure.self) {
            let memory = unsafe try PageMemory.mirror(byteCount: 100)
            unsafe PageMemory.release(memory, byteCount: 200)
        }
        guard case .pageSize(let size)? = failure else {
            Issue.record("\(String(describing: failure)) instead of the size of a page")
            return
        }
        #expect(size >= 4096 && size.nonzeroBitCount == 1)
    }

    /// In a process without standard input the shared memory has its number, 0.
    @Test(.enabled(if: PageMemory.mirrors, "mirrored memory is not to be had here"))
    func memoryIsMirroredWithoutStandardInput() async {
        await #expect(processExitsWith: .success) {
            close(STDIN_FILENO)
            let memory = unsafe try PageMemory.mirror(byteCount: 802_816)
            unsafe PageMemory.release(memory, byteCount: 2 * 802_816)
        }
    }

    @Test func plainMemoryIsZeroAndPageAligned() throws {
        let count = 1_605_632
        let memory = unsafe try PageMemory.allocate(byteCount: count)
        defer { unsafe PageMemory.release(memory, byteCount: count) }
        #expect(Int(bitPattern: memory) % 4096 == 0)
        let isZero = unsafe UnsafeRawBufferPointer(start: memory, count: count).allSatisfy { $0 == 0 }
        #expect(isZero)
        unsafe memory.storeBytes(of: 7, toByteOffset: count - 1, as: UInt8.self)
    }

    @Test func noMemoryIsAnError() {
        #expect(throws: SystemError.self) {
            let memory = unsafe try PageMemory.allocate(byteCount: .max / 2)
            unsafe PageMemory.release(memory, byteCount: .max / 2)
        }
    }
}

@Suite struct FixedArrayTests {
    @Test func holdsWhatAnArrayHolds() {
        var fixed = FixedArray<(SIMD32<UInt8>, SIMD16<UInt8>, UInt8), UInt8>(repeating: 9)
        var array = [UInt8](repeating: 9, count: 49)
        #expect(fixed.indices == array.indices && MemoryLayout.size(ofValue: fixed) == 49)
        for index in array.indices {
            #expect(fixed[index] == 9)
            fixed[index] = UInt8(3 * index)
            array[index] = UInt8(3 * index)
        }
        fixed[48] += 1
        array[48] += 1
        let copy = fixed
        fixed[0] = 200
        #expect(array.indices.allSatisfy { copy[$0] == array[$0] })
        let sum = fixed.withSpan { span in span.indices.reduce(0) { $0 + Int(span[$1]) } }
        #expect(sum == array.reduce(200) { $0 + Int($1) })
    }

    /// Elements of three lanes take four.
    @Test func elementsLieAtTheirStride() {
        var points = FixedArray<(SIMD16<Float>, SIMD4<Float>), SIMD3<Float>>(repeating: SIMD3(1, 2, 3))
        #expect(points.indices == 0..<5)
        points[4].y = 8
        #expect(points[3] == SIMD3(1, 2, 3) && points[4] == SIMD3(1, 8, 3))
        let numbers = FixedArray<(SIMD4<Int32>, SIMD2<Int32>, Int32), Int32>((SIMD4(0, 1, 2, 3), SIMD2(4, 5), 6))
        #expect(numbers.indices.allSatisfy { numbers[$0] == Int32($0) })
    }

    @Test func spansOfArrays() {
        var array: [Int32] = [1, 2, 3]
        let other = array
        var elements = array.mutableElementSpan
        elements[1] = 9
        #expect(array == [1, 9, 3] && other == [1, 2, 3])
        let span = array.elementSpan
        let (count, second) = (span.count, span[1])
        #expect(count == 3 && second == 9)
        let empty = [UInt8]().elementSpan.count
        #expect(empty == 0)
    }
}
