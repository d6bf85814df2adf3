import Foundation

/// The model that comes with this package.
package enum BundledWeights {
    /// Path of the int8 model, or nil when the resource bundle is not beside the program.
    package static var modelPath: String? {
        Bundle.module.path(forResource: "gesture-tcn-int8", ofType: "safetensors")
    }
}
