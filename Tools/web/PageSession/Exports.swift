// The functions that gesture.js calls. An instance of the module is one engine with one session; a page that wants two makes two
// instances. Tools/web/README.md describes the calls of JavaScript.
//
// Memory: the script gets memory with `allocate`, and writes into it. Everything that goes in is copied before a function returns.
// Texts and numbers come back through the imports `report` and `numbers`, during the call that brings them.
#if arch(wasm32)
    /// The script's function for a report: its text in UTF-8.
    @_extern(wasm, module: "env", name: "report")
    private func report(_ text: UnsafePointer<UInt8>, _ count: Int)

    /// The script's function for the numbers of a picture.
    @_extern(wasm, module: "env", name: "numbers")
    private func numbers(_ values: UnsafePointer<Float>, _ count: Int)

    nonisolated(unsafe) private let tab = Tab { text in
        let bytes = Array(text.utf8)
        unsafe bytes.withUnsafeBufferPointer { if let base = $0.baseAddress { unsafe report(base, $0.count) } }
    } numbers: { values in
        unsafe values.withUnsafeBufferPointer { if let base = $0.baseAddress { unsafe numbers(base, $0.count) } }
    }

    private func bytes(_ address: UnsafeRawPointer, _ count: Int) -> [UInt8] {
        unsafe [UInt8](UnsafeRawBufferPointer(start: address, count: count))
    }

    /// The files of a table: an address and a length for each.
    private func files(_ table: UnsafePointer<UInt32>, _ count: Int) -> [[UInt8]] {
        (0..<count).map { index in
            guard let address = unsafe UnsafeRawPointer(bitPattern: UInt(table[2 * index])) else { return [] }
            return unsafe bytes(address, Int(table[2 * index + 1]))
        }
    }

    /// Room of this many bytes, at a multiple of 64.
    @_expose(wasm, "allocate") @c(allocate)
    public func allocate(_ count: Int) -> UnsafeMutableRawPointer {
        unsafe .allocate(byteCount: max(count, 1), alignment: 64)
    }

    /// Gives back what `allocate` gave.
    @_expose(wasm, "release") @c(release)
    public func release(_ memory: UnsafeMutableRawPointer) { unsafe memory.deallocate() }

    /// Opens an instance for one use. The options are a JSON object (`TabOptions`).
    /// - Parameters:
    ///   - use: 0 for gestures, by six files in the order of `Tab.open`, with the reports `hello` and `settings`; 1 for hands, by
    ///     three files; 2 for people, by two files.
    ///   - table: address and length of each file.
    /// - Returns: 0, or 1 with the report `failure`.
    @_expose(wasm, "open") @c(open_tab)
    public func open(
        _ use: Int32, _ table: UnsafePointer<UInt32>, _ options: UnsafeRawPointer, _ count: Int
    ) -> Int32 {
        let text = unsafe bytes(options, count)
        let isOpen =
            switch use {
            case 0: unsafe tab.open(files(table, 6), options: text)
            case 1: unsafe tab.openHands(files(table, 3), options: text)
            default: unsafe tab.openPeople(files(table, 2), options: text)
            }
        return isOpen ? 0 : 1
    }

    /// Takes the two networks of bodies for gestures: detection and landmarks.
    /// - Returns: 0, or 1 with the report `failure`.
    @_expose(wasm, "openBodies") @c(open_bodies)
    public func openBodies(_ table: UnsafePointer<UInt32>) -> Int32 {
        unsafe tab.openBodies(files(table, 2)) ? 0 : 1
    }

    /// Has gestures be found with the arms, which takes the networks of bodies, or without.
    /// - Parameter isOn: 1 or 0.
    /// - Returns: 0, or 1 with the report `failure`.
    @_expose(wasm, "arms") @c(watch_arms)
    public func watchArms(_ isOn: Int32) -> Int32 { tab.watchArms(isOn != 0) ? 0 : 1 }

    /// Does what a page's message asks for (`PageCommand`).
    @_expose(wasm, "command") @c(command)
    public func command(_ text: UnsafeRawPointer, _ count: Int) { unsafe tab.command(bytes(text, count)) }

    /// Looks for gestures in the message of a picture (`CameraPicture`).
    @_expose(wasm, "picture") @c(picture)
    public func picture(_ message: UnsafeRawPointer, _ count: Int) { unsafe tab.take(bytes(message, count)) }

    /// Finds the hands or the people of a picture.
    /// - Parameter isStill: 1 for a single picture, which has no past; 0 for the next one of a video.
    @_expose(wasm, "look") @c(look)
    public func look(_ message: UnsafeRawPointer, _ count: Int, _ isStill: Int32) {
        unsafe tab.look(bytes(message, count), isStill: isStill != 0)
    }

    /// Ends what has begun, as before another clip.
    @_expose(wasm, "finish") @c(finish)
    public func finish() { tab.finish() }
#endif
