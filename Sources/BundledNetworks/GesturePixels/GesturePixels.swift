public import GestureEngine
// An app that imports this product has the front end and its options.
@_exported public import PixelFrontEnd

/// The pixel network as base64. The plugin `EmbedNetworks` writes it while this is built.
package enum EmbeddedNetworks {}

extension GestureEngine.Source {
    /// The project's pixel network: 340,000 parameters in int8, 0.35 MB inside the program.
    public static let bundled = GestureEngine.Source.embedded(EmbeddedNetworks.gestureTcnInt8)
}
