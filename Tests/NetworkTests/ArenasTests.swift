import Network
import Platform
import Testing

@Suite struct ArenasTests {
    /// Every stream can have an arena at once without an allocation: all arenas were made with the streams.
    @Test func eachUserHasAnArena() {
        let arenas = Arenas()
        for _ in 0..<3 { arenas.reserve(byteCount: 100) }
        let taken = (0..<3).map { _ in arenas.take() }
        #expect(Set(taken.map(ObjectIdentifier.init)).count == 3)
        for arena in taken {
            #expect(unsafe UnsafeBufferPointer(start: arena.base, count: 100).allSatisfy { $0 == 0 })
            #expect(unsafe UInt(bitPattern: arena.base) % 64 == 0)
        }
        for arena in taken { arenas.giveBack(arena) }
        // Those that are used now and then stay cold: one stream at a time always gets the same one.
        for _ in 0..<5 {
            let arena = arenas.take()
            #expect(arena === taken[2])
            arenas.giveBack(arena)
        }
        // Streams that end take the coldest with them.
        arenas.release()
        arenas.release()
        #expect(arenas.take() === taken[2])
    }

    @Test func whatStaysIsWrittenOnce() {
        let arena = Arena(byteCount: 8)
        for value: UInt8 in [7, 9] { unsafe arena.prepare { unsafe $0[0] = value } }
        #expect(unsafe arena.base[0] == 7)
    }

    /// Streams that wait take no memory, however large their arenas.
    @Test(.enabled(if: ProcessMemory.resident != nil && !WorkMemory.isGuarded, "the system does not tell"))
    func untouchedArenasTakeNoMemory() async {
        await #expect(processExitsWith: .success) {
            let arenas = Arenas()
            let before = try #require(ProcessMemory.resident)
            for _ in 0..<200 { arenas.reserve(byteCount: 1 << 20) }
            for _ in 0..<200 {
                let arena = arenas.take()
                for index in stride(from: 0, to: 1 << 20, by: 4_096) { unsafe arena.base[index] = 1 }
                arenas.giveBack(arena)
            }
            let grown = try #require(ProcessMemory.resident) - before
            #expect(grown < 8 << 20, "\(grown) bytes")
        }
    }
}
