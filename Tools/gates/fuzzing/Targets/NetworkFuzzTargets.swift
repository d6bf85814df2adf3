import ModelFile
import WeightImport

/// TFLite files.
enum TFLiteFuzzTarget {
    static func enter(_ bytes: [UInt8]) -> Bool {
        guard let file = try? TFLiteGraph.read(bytes) else { return false }
        GraphFuzzTarget.run(file)
        return true
    }
}

/// Zip archives with TFLite files in them, also with the checksums that the mutated bytes need.
enum BundleFuzzTarget {
    static func enter(_ bytes: [UInt8]) -> Bool {
        let forms = [bytes, ZipSealing.resealed(bytes)]
        return forms.reduce(false) { $0 || enterAsItIs($1) }
    }

    private static func enterAsItIs(_ bytes: [UInt8]) -> Bool {
        guard let source = try? GraphSource(bytes: bytes, fileName: "bundle.task") else { return false }
        guard let file = try? source.graph() else { return true }
        precondition(file.manifest.source == source.name, "a graph names another source")
        GraphFuzzTarget.run(file)
        return true
    }
}
