import Frames
import PixelFrontEnd
import Platform
import Testing
import Vocabulary

private struct Refused: Error, Equatable {}

private let frameBytes = 224 * 224

/// Frame n: sixteen bytes at both ends and in the middle identify it; the rest is its low byte.
private func write(_ n: Int, _ slot: inout MutableSpan<UInt8>) {
    slot.update(repeating: UInt8(truncatingIfNeeded: n))
    mark(n, &slot)
}

/// The part of `write` that is enough to recognise a frame.
private func mark(_ n: Int, _ slot: inout MutableSpan<UInt8>) {
    for byte in 0..<8 {
        let value = UInt8(truncatingIfNeeded: n >> (8 * byte))
        slot[byte] = value
        slot[frameBytes / 2 + byte] = value
        slot[frameBytes - 8 + byte] = value
    }
}

/// The frame a slot holds, or nil if its three marks disagree.
private func number(_ span: Span<UInt8>, slot: Int) -> Int? {
    func read(_ offset: Int) -> Int {
        (0..<8).reduce(0) { $0 | Int(span[slot * frameBytes + offset + $1]) << (8 * $1) }
    }
    let first = read(0)
    return first == read(frameBytes / 2) && first == read(frameBytes - 8) ? first : nil
}

/// What the ring shows, as values that tests can compare.
extension FrameRing {
    fileprivate var newestBytes: [UInt8]? {
        guard let newest else { return nil }
        return unsafe newest.withUnsafeBufferPointer { unsafe Array($0) }
    }

    fileprivate var windowBytes: [UInt8]? {
        guard let window else { return nil }
        return unsafe window.withUnsafeBufferPointer { unsafe Array($0) }
    }

    /// The marks of the sixteen slots, oldest first; -1 where the three of a slot disagree.
    fileprivate var windowNumbers: [Int]? {
        guard let window else { return nil }
        return (0..<16).map { number(window, slot: $0) ?? -1 }
    }

    fileprivate var newestNumber: Int? {
        guard let newest else { return nil }
        return number(newest, slot: 0)
    }

    fileprivate var isEmpty: Bool { count == 0 && newestBytes == nil && windowBytes == nil }

    fileprivate var newestAddress: Int? {
        guard let newest else { return nil }
        return unsafe newest.withUnsafeBufferPointer { Int(bitPattern: $0.baseAddress) }
    }

    fileprivate var windowAddress: Int? {
        guard let window else { return nil }
        return unsafe window.withUnsafeBufferPointer { Int(bitPattern: $0.baseAddress) }
    }
}

@Suite struct FrameRingTests {
    private static let storages: [FrameRingStorage] = {
        do {
            _ = try FrameRing(storage: .mirroredMapping)
            return [.mirroredMapping, .copiedMirror]
        } catch {
            print("SKIPPED: ring over mirrored mapping, not to be had here: \(error)")
            return [.copiedMirror]
        }
    }()

    @Test func usesTheMappingWhereItCan() throws {
        let ring = try FrameRing()
        #expect(ring.storage == Self.storages[0])
        #expect((ring.storage == .mirroredMapping) == PageMemory.mirrors)
    }

    @Test(arguments: storages) func windowIsTheLastSixteen(_ storage: FrameRingStorage) throws {
        var ring = try FrameRing(storage: storage)
        #expect(ring.isEmpty && ring.head == 0 && ring.storage == storage)
        var naive: [[UInt8]] = []
        var random = SplitMix64(seed: 4)
        for n in 0..<200 {
            let frame = (0..<frameBytes).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            ring.withNextCell { slot in
                for index in frame.indices { slot[index] = frame[index] }
            }
            naive = naive.suffix(15) + [frame]
            #expect(ring.count == min(n + 1, 16) && ring.head == (n + 1) % 16)
            // Compared outside of `#expect`, which would print eight hundred thousand bytes.
            let newestAgrees = ring.newestBytes == frame
            let windowAgrees = ring.windowBytes == (n < 15 ? nil : naive.flatMap { $0 })
            #expect(newestAgrees && windowAgrees, "push \(n)")
        }
    }

    @Test(arguments: storages) func aHundredThousandPushes(_ storage: FrameRingStorage) throws {
        var ring = try FrameRing(storage: storage)
        for n in 0..<100_000 {
            var slot = ring.nextCell()
            mark(n, &slot)
            ring.publish()
            guard n >= 15 else { continue }
            try #require(ring.windowNumbers == Array((n - 15)...n), "push \(n)")
        }
    }

    /// A million turns of the head; the window is looked at once a turn.
    @Test func aMillionWraps() throws {
        var ring = try FrameRing()
        var agree = true
        for n in 0..<16_000_000 {
            var slot = ring.nextCell()
            slot[0] = UInt8(truncatingIfNeeded: n)
            slot[frameBytes - 1] = UInt8(truncatingIfNeeded: n >> 8)
            ring.publish()
            if n % 16 == 15, n % 15 == 0 || n > 15_999_000 {
                guard let window = ring.window else {
                    agree = false
                    break
                }
                for slot in 0..<16 {
                    let expected = n - 15 + slot
                    agree = agree && window[slot * frameBytes] == UInt8(truncatingIfNeeded: expected)
                    agree = agree && window[(slot + 1) * frameBytes - 1] == UInt8(truncatingIfNeeded: expected >> 8)
                }
            }
        }
        #expect(agree && ring.count == 16 && ring.head == 0)
    }

    /// The newest frame is seen where it was written: nothing was copied.
    @Test(arguments: storages) func newestIsTheSlotItself(_ storage: FrameRingStorage) throws {
        var ring = try FrameRing(storage: storage)
        var windows: Set<Int> = []
        for n in 0..<64 {
            let written = ring.withNextCell { slot in
                unsafe slot.withUnsafeMutableBufferPointer { Int(bitPattern: $0.baseAddress) }
            }
            #expect(ring.newestAddress == written, "push \(n)")
            let window = ring.windowAddress
            if n >= 15 { windows.insert(try #require(window)) }
        }
        let first = try #require(windows.min())
        #expect(windows == Set((0..<16).map { first + $0 * frameBytes }))
    }

    @Test(arguments: storages) func aFailedWriteCostsTheOldestOnly(_ storage: FrameRingStorage) throws {
        var ring = try FrameRing(storage: storage)
        func fail(_ ring: inout FrameRing) {
            do {
                try ring.withNextCell { (slot: inout MutableSpan<UInt8>) throws(Refused) in
                    slot.update(repeating: 0xEE)
                    throw Refused()
                }
                Issue.record("published")
            } catch { #expect(error == Refused()) }
        }
        fail(&ring)
        #expect(ring.isEmpty && ring.head == 0)
        var published = 0
        for step in 0..<400 {
            if step % 7 == 3 || step % 11 == 10 {
                let (count, head) = (ring.count, ring.head)
                fail(&ring)
                #expect(ring.count == min(count, 15) && ring.head == head && ring.windowNumbers == nil)
                if published > 0 { #expect(ring.newestNumber == published - 1) }
            } else {
                ring.withNextCell { slot in write(published, &slot) }
                published += 1
                #expect(ring.count == min(published, 16))
                if published >= 16 {
                    #expect(ring.windowNumbers == Array((published - 16)..<published), "step \(step)")
                }
            }
        }
    }

    @Test(arguments: storages) func resetForgets(_ storage: FrameRingStorage) throws {
        var ring = try FrameRing(storage: storage)
        for n in 0..<21 { ring.withNextCell { slot in write(n, &slot) } }
        ring.reset()
        let isEmpty = ring.isEmpty
        #expect(isEmpty)
        for n in 100..<115 {
            ring.withNextCell { slot in write(n, &slot) }
            #expect(ring.windowNumbers == nil)
        }
        ring.withNextCell { slot in write(115, &slot) }
        #expect(ring.windowNumbers == Array(100..<116))
    }

    /// Rings are unmapped when they go: more of them in turn than the address space or /dev/shm could hold at once.
    @Test func ringsGiveTheirMemoryBack() throws {
        for n in 0..<20_000 {
            var ring = try FrameRing(storage: n % 2 == 0 ? Self.storages[0] : .copiedMirror)
            ring.withNextCell { slot in slot[0] = UInt8(truncatingIfNeeded: n) }
            #expect(ring.count == 1)
        }
    }
}
