// What Embedded Swift, with which the engine becomes WebAssembly, has no version of. Tools/web/build imports this module into
// every file, so that the same sources compile.
#if hasFeature(Embedded)
    /// Stands for the standard library's. Nothing is coded in a browser.
    public protocol Codable {}

    extension Duration: @retroactive CustomStringConvertible {
        /// Seconds.
        public var description: String {
            let (seconds, attoseconds) = components
            return (Double(seconds) + Double(attoseconds) / 1e18).description + " seconds"
        }
    }

    /// The clock of the program around the WebAssembly module.
    package enum HostClock {
        /// Milliseconds from a fixed moment, as `performance.now()` gives them.
        @_extern(wasm, module: "env", name: "now")
        package static func milliseconds() -> Double
    }

    extension String {
        /// Whether a part of the text has these characters.
        package func contains(_ other: String) -> Bool {
            var rest = self[...]
            while !rest.hasPrefix(other) {
                guard !rest.isEmpty else { return false }
                rest.removeFirst()
            }
            return true
        }
    }
#endif
