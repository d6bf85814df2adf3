// The functions that gesture.js calls. An instance of the module is one engine with one session; a page that wants two makes two
// instances. Tools/web/README.md describes the calls of JavaScript.
//
// Memory: the script gets memory with `allocate`, and writes into it. Everything that goes in is copied before a function returns.
// Texts come back through the import `report`, during the call that brings them.
#if arch(wasm32)
    import HandTracking

    /// The script's function for a report: its text in UTF-8.
    @_extern(wasm, module: "env", name: "report")
    private func report(_ text: UnsafePointer<UInt8>, _ count: Int)

    nonisolated(unsafe) private let tab = Tab { text in
        let bytes = Array(text.utf8)
        unsafe bytes.withUnsafeBufferPointer { if let base = $0.baseAddress { unsafe report(base, $0.count) } }
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

    /// Makes the engine of six files, in the order of `TabFiles`, and its session.
    /// - Parameters:
    ///   - table: address and length of each file.
    ///   - options: a JSON object (`TabOptions`).
    /// - Returns: 0 with the reports `hello` and `settings`, or 1 with `failure`.
    @_expose(wasm, "open") @c(open_tab)
    public func open(_ table: UnsafePointer<UInt32>, _ options: UnsafeRawPointer, _ count: Int) -> Int32 {
        unsafe tab.open(files(table, 6), options: bytes(options, count)) ? 0 : 1
    }

    /// Takes the two networks of bodies: detection and landmarks.
    /// - Returns: 0, or 1 with the report `failure`.
    @_expose(wasm, "openBodies") @c(open_bodies)
    public func openBodies(_ table: UnsafePointer<UInt32>) -> Int32 {
        unsafe tab.openBodies(files(table, 2)) ? 0 : 1
    }

    /// Does what a page's message asks for (`PageCommand`).
    @_expose(wasm, "command") @c(command)
    public func command(_ text: UnsafeRawPointer, _ count: Int) { unsafe tab.command(bytes(text, count)) }

    /// Runs the engine on the message of a picture (`CameraPicture`).
    @_expose(wasm, "picture") @c(picture)
    public func picture(_ message: UnsafeRawPointer, _ count: Int) { unsafe tab.take(bytes(message, count)) }

    /// Finds the hands of a single picture, which has no past.
    /// - Returns: their number, or -1 with the report `failure`.
    @_expose(wasm, "still") @c(still)
    public func still(_ message: UnsafeRawPointer, _ count: Int) -> Int32 {
        unsafe Int32(tab.recognise(bytes(message, count)) ?? -1)
    }

    /// Ends what has begun, as before another clip.
    @_expose(wasm, "finish") @c(finish)
    public func finish() { unsafe tab.finish() }

    /// Writes the hands of the latest picture or still, 138 floats each: identity; how likely it is a right hand in a mirrored
    /// picture, 0...1; presence; 1 with a pose and 0 without; the scores of eight poses; x, y and z of 21 points, normalised to the
    /// picture; and the same in metres.
    /// - Parameter output: capacity for four hands, 552 floats.
    /// - Returns: the number of hands, at most four.
    @_expose(wasm, "hands") @c(hands)
    public func hands(_ output: UnsafeMutablePointer<Float>) -> Int32 {
        var place = unsafe output
        func put(_ value: Float) {
            unsafe place.pointee = value
            unsafe place += 1
        }
        func put(_ points: TrackedHand.Points) {
            for index in 0..<TrackedHand.Points.count {
                for axis in 0..<3 { put(points[index][axis]) }
            }
        }
        let found = unsafe tab.hands.prefix(4)
        for hand in found {
            put(Float(hand.identity))
            put(hand.rightHandedness)
            put(hand.presence)
            put(hand.pose == nil ? 0 : 1)
            let scores = hand.pose?.scores ?? .zero
            for index in scores.indices { put(scores[index]) }
            put(hand.landmarks)
            put(hand.worldLandmarks)
        }
        return Int32(found.count)
    }
#endif
